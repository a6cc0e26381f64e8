/**
 * How much more a page counts in the search: a reader who searches has a task. The function is copied into the page, so it uses
 * nothing around it.
 *
 * @param id Its path, and a heading behind `#`.
 */
export function boostDocument(id: string): number {
  return id.startsWith("/guide/") ? 4 : id.startsWith("/decisions/") ? 0.25 : 1;
}
