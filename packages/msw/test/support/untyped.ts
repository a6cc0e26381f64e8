/** A value as a program without types passes it: `never` goes wherever anything is expected. */
export function untyped(value: unknown): never {
  const box: { readonly value: never } = Object.defineProperty(JSON.parse("{}"), "value", { value });
  return box.value;
}
