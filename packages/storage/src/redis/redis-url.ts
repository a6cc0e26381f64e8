import { StorageError } from "../storage-error.ts";

/** A parsed Redis URL. */
export type RedisAddress =
  | { readonly type: "single"; readonly url: string; readonly tls: boolean }
  | {
      readonly type: "cluster";
      readonly nodes: readonly { readonly host: string; readonly port: number }[];
      readonly username: string;
      readonly password: string;
      readonly tls: boolean;
    };

/**
 * Parses the address of a Redis server or Cluster. It is stricter than ioredis, which guesses the database
 * from invalid text and reads settings, even passwords, from the query.
 *
 * @throws {StorageError} `invalid_argument`
 * @example parseRedisUrl("redis://:secret@127.0.0.1:6379/2")
 */
export function parseRedisUrl(url: unknown): RedisAddress {
  const text = typeof url === "string" ? url : "";
  const address = /^rediss?:/u.test(text) ? toServer(text) : toCluster(text);
  if (address !== undefined) return address;
  throw new StorageError(
    "invalid_argument",
    "url must be redis://[[user]:password@]host[:port][/database] or redis-cluster://[[user]:password@]host:port,host:port. With TLS, it must be rediss://… or rediss-cluster://….",
  );
}

function toServer(text: string): RedisAddress | undefined {
  const url = /^rediss?:\/\/[^/]/u.test(text) ? URL.parse(text) : null;
  if (url === null || url.hostname === "" || url.port === "0") return undefined;
  if (!/^(?:\/\d{0,5})?$/u.test(url.pathname)) return undefined;
  if (url.search !== "" || url.hash !== "") return undefined;
  const isReadable = [url.username, url.password].every((part) => decoded(part) !== undefined);
  return isReadable ? { type: "single", url: text, tls: url.protocol === "rediss:" } : undefined;
}

function toCluster(text: string): RedisAddress | undefined {
  const [, tls, credentials = "", hosts = ""] =
    /^redis(s?)-cluster:\/\/(?:([^@]*)@)?([^@/]+)\/?$/u.exec(text) ?? [];
  const nodes = hosts.split(",").map(toNode);
  const colon = credentials.indexOf(":");
  const username = decoded(colon === -1 ? "" : credentials.slice(0, colon));
  const password = decoded(credentials.slice(colon + 1));
  if (username === undefined || password === undefined || nodes.includes(undefined)) return undefined;
  return {
    type: "cluster",
    nodes: nodes.filter((node) => node !== undefined),
    username,
    password,
    tls: tls === "s",
  };
}

function toNode(text: string): { host: string; port: number } | undefined {
  const [, host, digits = "6379"] = /^(\[[\da-f:]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/iu.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/gu, ""), port };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
