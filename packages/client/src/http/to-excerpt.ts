/** One line of so many characters at the most, and an ellipsis, without what could move a terminal's cursor. */
export function toExcerpt(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 5)
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim();
  // The cut may go through a character.
  return line.length > longest ? `${line.slice(0, longest).replace(/\p{Cs}$/u, "")}…` : line;
}
