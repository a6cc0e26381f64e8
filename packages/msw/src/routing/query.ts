/** The parameters that any operation knows. Undefined: not sent, or sent empty. */
export interface Query {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly project_id: string | undefined;
  readonly email: string | undefined;
  readonly number: string | undefined;
  readonly status: string | undefined;
}
