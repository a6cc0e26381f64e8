/**
 * The suggestion after an unknown name. Empty if no known name is similar. The domain package is loaded only here,
 * because loading it takes longer than most commands.
 *
 * @example await suggest("lisen", ["listen"], "") // " (did you mean listen?)"
 */
export async function suggest(text: string, known: readonly string[], prefix: string): Promise<string> {
  const { findNearest } = await import("@hookwright/domain");
  const nearest = findNearest(text, known);
  return nearest === undefined ? "" : ` (did you mean ${prefix}${nearest}?)`;
}
