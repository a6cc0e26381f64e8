import type { PageMeta } from "./page-of.ts";
import type { Row } from "./row.ts";

/** A page as an operation answers it. */
export function toValues<Value>({
  rows,
  meta,
}: {
  readonly rows: readonly Row<Value>[];
  readonly meta: PageMeta;
}): { readonly data: readonly Value[]; readonly meta: PageMeta } {
  return { data: rows.map(({ value }) => value), meta };
}
