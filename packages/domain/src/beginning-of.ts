/**
 * Returns the first UTF-16 units of a text, without splitting a surrogate pair.
 *
 * @example beginningOf("🦄🦄", 3) // "🦄"
 */
export function beginningOf(text: string, units: number): string {
  const beginning = text.slice(0, units);
  const isCut =
    units < text.length &&
    !text.slice(units - 1, units).isWellFormed() &&
    text.slice(units - 1, units + 1).isWellFormed();
  return isCut ? beginning.slice(0, -1) : beginning;
}
