import { ClientError } from "../client-error.ts";

export type Query = Readonly<Record<string, string | number | null | undefined>>;

export interface UrlParts {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Contains `{name}` for each parameter. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Undefined and null values are omitted. */
  readonly query: Query;
}

/** @throws ClientError `invalid_argument` for a parameter that is not valid in a path */
export function toUrl({ baseUrl, path, parameters, query }: UrlParts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => toSegment(name, parameters[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return `${baseUrl}${filled}${search.size === 0 ? "" : `?${search.toString()}`}`;
}

/** Without this check, an empty id would request the list, and `..` another path. */
function toSegment(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value === "." || value === ".." || !value.isWellFormed()) {
    throw new ClientError(
      "invalid_argument",
      `${name}: must be a non-empty, well-formed string other than "." and "..".`,
    );
  }
  return encodeURIComponent(value);
}
