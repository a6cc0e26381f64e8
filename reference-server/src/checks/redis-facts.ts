import { parseRedisUrl } from "@hookwright/storage/redis";
import { readTlsFiles } from "../options/redis-tls-files.ts";
import type { RedisTlsFiles } from "../options/redis-tls-files.ts";
import { toClockAhead } from "./storage-facts.ts";
import type { StorageFacts } from "./storage-facts.ts";

const oldestMajor = 7;

/** Asks one server. Of a Cluster, that is the first node that was named. */
export async function readRedisFacts(
  url: string,
  { tlsFiles, timeoutMs }: { readonly tlsFiles: RedisTlsFiles; readonly timeoutMs: number },
): Promise<StorageFacts> {
  const { Redis } = await import("ioredis");
  const address = parseRedisUrl(url);
  const settings = {
    ...(address.tls ? { tls: await readPem(tlsFiles) } : {}),
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    lazyConnect: true,
  };
  const [node] = address.type === "cluster" ? address.nodes : [];
  const redis =
    address.type === "cluster"
      ? new Redis({ ...node, username: address.username, password: address.password, ...settings })
      : new Redis(address.url, settings);
  redis.on("error", () => {});
  try {
    await redis.connect();
    const info = await redis.info();
    const before = Date.now();
    const [seconds = 0, microseconds = 0] = (await redis.time()).map(Number);
    const clockAheadMs = toClockAhead(before, seconds * 1_000 + microseconds / 1_000, Date.now());
    // A managed service may refuse it.
    const config = await redis.config("GET", "append*").catch(() => undefined);
    return { ...judge(info, toRecord(config)), clockAheadMs };
  } finally {
    redis.disconnect();
  }
}

async function readPem(files: RedisTlsFiles): Promise<Record<string, string>> {
  const read = await readTlsFiles(files);
  return Object.fromEntries(Object.entries(read).filter(([, text]) => text !== undefined));
}

function judge(info: string, config: Readonly<Record<string, string>>): Omit<StorageFacts, "clockAheadMs"> {
  const read = (name: string): string | undefined => new RegExp(`^${name}:(\\S+)`, "mu").exec(info)?.[1];
  const valkey = read("valkey_version");
  const redis = read("redis_version") ?? "unknown";
  const isOld = Number(redis.split(".", 1)[0]) < oldestMajor;
  const limit = Number(read("maxmemory") ?? 0);
  const policy = read("maxmemory_policy") ?? "noeviction";
  const appends = read("aof_enabled") ?? (config["appendonly"] === "no" ? "0" : "1");
  const appendfsync = config["appendfsync"];
  const unsafe = [];
  if (appends === "0")
    unsafe.push({
      setting: "appendonly is no, so Redis loses commits when it stops",
      fix: "Set appendonly yes and appendfsync always.",
    });
  else if (appendfsync !== undefined && appendfsync !== "always")
    unsafe.push({
      setting: `appendfsync is ${appendfsync}, so Redis may lose the last commits when its machine fails`,
      fix: "Set appendfsync always.",
    });
  if (policy !== "noeviction")
    unsafe.push({
      setting: `maxmemory-policy is ${policy}, so Redis may delete data when its memory is full`,
      fix: "Set maxmemory-policy noeviction.",
    });
  return {
    version: valkey === undefined ? `Redis ${redis}` : `Valkey ${valkey}`,
    tooOld: isOld ? `Redis ${oldestMajor} or newer, or Valkey` : undefined,
    unsafe,
    safe: `appendonly yes, appendfsync ${appendfsync ?? "not readable (CONFIG is refused)"}, maxmemory-policy ${policy}`,
    freeBytes: limit === 0 ? undefined : Math.max(0, limit - Number(read("used_memory") ?? 0)),
  };
}

function toRecord(config: unknown): Readonly<Record<string, string>> {
  if (!Array.isArray(config)) return {};
  const pairs: [string, string][] = [];
  for (let at = 0; at < config.length; at += 2) pairs.push([String(config[at]), String(config[at + 1])]);
  return Object.fromEntries(pairs);
}
