import { ClientError } from "../client-error.ts";

export type Query = Readonly<Record<string, string | number | null | undefined>>;

export interface UrlParts {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** What is undefined or null is left out. */
  readonly query: Query;
}

/** @throws ClientError `invalid_argument` for a parameter that cannot stand in a path */
export function toUrl({ baseUrl, path, parameters, query }: UrlParts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => toSegment(name, parameters[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return `${baseUrl}${filled}${search.size === 0 ? "" : `?${search.toString()}`}`;
}

/** Without the check, an empty id would ask for the list, and `..` for something else altogether, encoded or not. */
function toSegment(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value === "." || value === ".." || !value.isWellFormed()) {
    throw new ClientError(
      "invalid_argument",
      `${name}: must be text, not empty, well-formed, and neither "." nor "..".`,
    );
  }
  return encodeURIComponent(value);
}
