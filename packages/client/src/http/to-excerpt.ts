/** Returns one line of limited length without control characters. A truncated text ends with an ellipsis. */
export function toExcerpt(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 5)
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim();
  // The cut may split a surrogate pair.
  return line.length > longest ? `${line.slice(0, longest).replace(/\p{Cs}$/u, "")}…` : line;
}
