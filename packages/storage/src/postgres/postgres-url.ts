import { StorageError } from "../storage-error.ts";

/** A parsed PostgreSQL URL. */
export interface PostgresAddress {
  /** The URL without the parameter `schema`, as `pg` reads it. */
  readonly connectionString: string;
  /** The value of the parameter `schema`. */
  readonly schema: string | undefined;
  /** The host, port and database, without credentials. */
  readonly serverAddress: string;
}

/**
 * Parses `postgres://[user[:password]@]host[:port]/database[?schema=name&…]`. `postgresql://` works too. `pg` reads the
 * other parameters.
 *
 * @throws {StorageError} `invalid_argument`
 * @example parsePostgresUrl("postgres://app:secret@127.0.0.1:5432/shop?schema=hookwright")
 */
export function parsePostgresUrl(url: unknown): PostgresAddress {
  const text = typeof url === "string" ? url : "";
  const parsed = /^postgres(?:ql)?:\/\//u.test(text) ? URL.parse(text) : null;
  if (parsed === null || parsed.hash !== "" || ![parsed.username, parsed.password].every(isEncoded))
    throw new StorageError(
      "invalid_argument",
      "url must be postgres://[user[:password]@]host[:port]/database. Percent-encode special characters of the password.",
    );
  const schema = parsed.searchParams.get("schema") ?? undefined;
  parsed.searchParams.delete("schema");
  const host = parsed.hostname || (parsed.searchParams.get("host") ?? "localhost");
  return {
    connectionString: schema === undefined ? text : parsed.href,
    schema,
    serverAddress: `${host}:${parsed.port || "5432"}${parsed.pathname}`,
  };
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

/**
 * Checks a schema name. It needs no quotes in SQL, and leaves space for the name of the notification channel.
 *
 * @throws {StorageError} `invalid_argument`
 */
export function checkSchema(schema: unknown): asserts schema is string {
  if (typeof schema === "string" && /^(?!pg_)[a-z_][a-z0-9_]{0,39}$/u.test(schema)) return;
  throw new StorageError(
    "invalid_argument",
    `schema must have 1 to 40 lower-case letters, digits and underscores, and not begin with a digit or pg_, not ${JSON.stringify(schema) ?? typeof schema}.`,
  );
}
