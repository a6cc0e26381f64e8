/** Returns a value like a program without types: `never` is assignable to every type. */
export function untyped(value: unknown): never {
  const box: { readonly value: never } = Object.defineProperty(JSON.parse("{}"), "value", { value });
  return box.value;
}
