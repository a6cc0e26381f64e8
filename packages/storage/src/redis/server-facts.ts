import { toClockAhead } from "../clock-ahead.ts";
import type { StorageFacts } from "../port.ts";
import type { Link } from "./link.ts";

const oldestMajor = 7;

/** Asks one server, of a Cluster any node. A managed service may refuse `INFO` and `CONFIG`. */
export async function readServerFacts(link: Pick<Link, "read">): Promise<StorageFacts> {
  const before = Date.now();
  const [seconds, microseconds] = toTexts(await link.read("time", []));
  const clockAheadMs = toClockAhead(
    before,
    Number(seconds) * 1_000 + Number(microseconds) / 1_000,
    Date.now(),
  );
  const info = String(await link.read("info", []).catch(() => ""));
  const config = toTexts(await link.read("config", ["GET", "append*"]).catch(() => []));
  return { ...judge(info, config), clockAheadMs };
}

function judge(info: string, config: readonly string[]): StorageFacts {
  const read = (name: string): string | undefined => new RegExp(`^${name}:(\\S+)`, "mu").exec(info)?.[1];
  const configured = (name: string): string | undefined => {
    const at = config.indexOf(name);
    return at === -1 ? undefined : config[at + 1];
  };
  const valkey = read("valkey_version");
  const redis = read("redis_version");
  const isOld = redis !== undefined && Number(redis.split(".", 1)[0]) < oldestMajor;
  const policy = read("maxmemory_policy");
  const appends = read("aof_enabled") ?? { yes: "1", no: "0" }[configured("appendonly") ?? ""];
  const appendfsync = configured("appendfsync");
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
  if (policy !== undefined && policy !== "noeviction")
    unsafe.push({
      setting: `maxmemory-policy is ${policy}, so Redis may delete data when its memory is full`,
      fix: "Set maxmemory-policy noeviction.",
    });
  return {
    version: valkey === undefined ? `Redis ${redis ?? "(it does not tell its version)"}` : `Valkey ${valkey}`,
    tooOld: isOld ? `Redis ${oldestMajor} or newer, or Valkey` : undefined,
    unsafe,
    safe: [
      appends === undefined ? "appendonly not readable (INFO and CONFIG are refused)" : "appendonly yes",
      `appendfsync ${appendfsync ?? "not readable (CONFIG is refused)"}`,
      `maxmemory-policy ${policy ?? "not readable (INFO is refused)"}`,
    ].join(", "),
  };
}

function toTexts(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}
