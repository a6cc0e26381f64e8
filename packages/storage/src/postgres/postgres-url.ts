import { StorageError } from "../storage-error.ts";

/** A parsed PostgreSQL URL. */
export interface PostgresAddress {
  /** The URL without the parameter `schema`, as `pg` reads it. Of several hosts, it has the first one. */
  readonly connectionString: string;
  /** The URL for each of several hosts, in their order. */
  readonly connectionStrings: readonly string[];
  /** Whether a host that is read-only is of no use: it has several, unless `target_session_attrs` is `any`. */
  readonly needsWritable: boolean;
  /** The value of the parameter `schema`. */
  readonly schema: string | undefined;
  /** The hosts, ports and database, without credentials. */
  readonly serverAddress: string;
}

interface Host {
  /** A name, an address, or the directory of a Unix socket. Empty: `pg` has its default. */
  readonly host: string;
  readonly port: string;
}

const syntax =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^@/?#]*@)?(?<hosts>[^@/?#\s]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/u;
const allowed =
  "url must be postgres://[user[:password]@]host[:port]/database, with host:port,host:port for several hosts, or with /database?host=/directory for a Unix socket. Percent-encode special characters of the password.";

/**
 * Parses `postgres://[user[:password]@]host[:port][,…]/database[?schema=name&…]`. `postgresql://` works too. The parameters `host`
 * and `port` name hosts as well: `?host=/cloudsql/project:region:instance`. `pg` reads the other parameters.
 *
 * @throws {StorageError} `invalid_argument`
 * @example parsePostgresUrl("postgres://app:secret@127.0.0.1:5432/shop?schema=hookwright")
 */
export function parsePostgresUrl(url: unknown): PostgresAddress {
  const text = typeof url === "string" ? url : "";
  const { scheme = "", user = "", hosts: authority = "", path = "", query } = syntax.exec(text)?.groups ?? {};
  if (scheme === "" || ![user, authority, path].every(isEncoded)) throw invalidUrl(allowed);
  const parameters = new URLSearchParams(query);
  const schema = parameters.get("schema") ?? undefined;
  const target = parameters.get("target_session_attrs") ?? undefined;
  const hosts = readHosts(authority, parameters);
  if (target !== undefined && !["any", "read-write", "primary"].includes(target))
    throw invalidUrl(
      `target_session_attrs must be read-write, primary or any, not ${JSON.stringify(target)}: a store writes.`,
    );
  const isPlain = hosts.length === 1 && parameters.size === 0;
  const connectionStrings = hosts.map((host) =>
    isPlain && !host.host.startsWith("/")
      ? text
      : `${scheme}${user}${host.host === "" ? "" : "localhost"}${path}?${toQuery(parameters, host)}`,
  );
  const database = path === "" ? "/" : path;
  return {
    connectionString: connectionStrings[0] ?? text,
    connectionStrings,
    needsWritable: target === undefined ? hosts.length > 1 : target !== "any",
    schema,
    serverAddress: `${hosts.map(({ host, port }) => `${host || "localhost"}:${port || "5432"}`).join(",")}${database}`,
  };
}

/** As libpq does: the parameters override the authority, and one port is for all hosts. */
function readHosts(authority: string, parameters: URLSearchParams): readonly Host[] {
  const hosts = parameters.get("host");
  const ports = parameters.get("port");
  const named = authority.split(",").map(readHost);
  const portList = ports?.split(",") ?? named.map(({ port }) => port);
  const hostList = hosts?.split(",") ?? named.map(({ host }) => host);
  if (portList.length > 1 && portList.length !== hostList.length)
    throw invalidUrl(
      `url has ${hostList.length} hosts and ${portList.length} ports. Give each host its port, or one port for all.`,
    );
  if (hostList.length > 1 && hostList.includes("")) throw invalidUrl("url has an empty host in its list.");
  return hostList.map((host, index) => {
    const port = portList[portList.length === 1 ? 0 : index] ?? "";
    if (port !== "" && !(/^\d{1,5}$/u.test(port) && Number(port) <= 65_535)) throw invalidUrl(allowed);
    return { host, port };
  });
}

function readHost(text: string): Host {
  const { host = "", port = "" } =
    /^(?<host>\[[\d.:A-Fa-f]+\]|[^:[\]]*)(?::(?<port>\d*))?$/u.exec(text)?.groups ?? invalidHost();
  return { host: decodeURIComponent(host), port };
}

function invalidHost(): never {
  throw invalidUrl(allowed);
}

/** What `pg` reads. It prefers this host to the one before the path. */
function toQuery(parameters: URLSearchParams, { host, port }: Host): string {
  const query = new URLSearchParams(parameters);
  for (const name of ["schema", "target_session_attrs", "host", "port"]) query.delete(name);
  const isSocket = host.startsWith("/");
  if (isSocket) for (const name of ["ssl", "sslmode", "sslnegotiation", "sslrootcert"]) query.delete(name);
  // `pg` has no such value, and trusts the authorities of Node without one.
  if (query.get("sslrootcert") === "system") query.delete("sslrootcert");
  // This is what `pg` does now, with a warning that it will check less one day.
  const mode = query.get("sslmode") ?? "";
  if (["prefer", "require", "verify-ca"].includes(mode) && query.get("uselibpqcompat") !== "true")
    query.set("sslmode", "verify-full");
  if (host !== "") query.set("host", host.replace(/^\[(.*)\]$/u, "$1"));
  if (port !== "") query.set("port", port);
  return query.toString();
}

function invalidUrl(message: string): StorageError {
  return new StorageError("invalid_argument", message);
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
