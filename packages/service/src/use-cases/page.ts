export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null };
}
