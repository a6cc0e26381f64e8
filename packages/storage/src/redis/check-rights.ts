import type { Cluster, Redis } from "ioredis";
import { findReason } from "../find-reason.ts";
import { partitions } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import type { Link } from "./link.ts";
import { isCluster } from "./is-cluster.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { runScript } from "./run-script.ts";
import { rightsScript } from "./scripts/rights-script.ts";
import type { Subscriber, SubscriberEvents } from "./subscriber.ts";

interface RightsOptions {
  readonly client: Redis | Cluster;
  readonly serverAddress: string;
  readonly prefix: string;
  readonly channel: string;
  readonly keysOf: (partition: string) => PartitionKeys;
  readonly openSubscriber: (events: SubscriberEvents) => Subscriber;
  readonly timeoutMs: number;
}

/**
 * Checks every right that the store needs later. A right that is missing in the middle of a commit would leave a part of it
 * written, because Redis undoes nothing.
 *
 * @throws {StorageError} `unavailable`, which names the refused commands and the ACL that allows them
 */
export async function checkRights(link: Pick<Link, "send">, options: RightsOptions): Promise<void> {
  const { client, serverAddress, prefix, channel, keysOf, openSubscriber, timeoutMs } = options;
  const keys = partitions.map((partition) => {
    const { rows, index, expiries } = keysOf(partition);
    return [rows, index, expiries];
  });
  // Each master of a Cluster has an ACL of its own.
  const calls = isCluster(client) ? keys : [keys.flat()];
  const [subscribing, ...replies] = await Promise.all([
    trySubscribe(openSubscriber, channel, timeoutMs),
    ...calls.map((names) => runScript(link.send, rightsScript, names, [channel])),
  ]);
  const refused = new Map<string, string>();
  for (const reply of replies)
    for (const [command, text] of pairsOf(reply)) if (!refused.has(command)) refused.set(command, text);
  if (subscribing !== undefined) refused.set("subscribe", subscribing);
  const missing = [...refused].filter(([, text]) => findReason(new Error(text)) === "not_authorized");
  const [[, reason] = []] = missing;
  if (reason === undefined) return;
  throw new StorageError(
    "unavailable",
    `Redis at ${serverAddress} does not let its user run ${missing.map(([command]) => command).join(", ")} (${reason}). Nothing was written. ${extendAcl(client, prefix)}.`,
    { reason: "not_authorized" },
  );
}

/** Adds the ACL to the error of a command that Redis refused during the start. */
export function withAcl(
  error: unknown,
  { client, prefix }: Pick<RightsOptions, "client" | "prefix">,
): unknown {
  if (!(error instanceof StorageError) || error.reason !== "not_authorized") return error;
  if (error.message.includes("ACL SETUSER")) return error;
  return new StorageError(error.code, error.message.replace("Extend the ACL", extendAcl(client, prefix)), {
    cause: error,
    reason: error.reason,
  });
}

/** Returns what to do if the user lacks a right. */
function extendAcl(client: Redis | Cluster, prefix: string): string {
  const { username, keyPrefix = "" } = isCluster(client)
    ? { ...client.options.redisOptions, keyPrefix: client.options.keyPrefix }
    : client.options;
  const ofCluster = isCluster(client) ? " +cluster" : "";
  return `Extend the ACL: ACL SETUSER ${username || "default"} +@read +@write +@scripting +@pubsub +@connection +info +time${ofCluster} ~${keyPrefix}{${prefix}:* &${prefix}:*`;
}

function pairsOf(reply: unknown): (readonly [string, string])[] {
  const texts = Array.isArray(reply) ? reply.map(String) : [];
  return texts.flatMap((text, at) => (at % 2 === 0 ? [[text, texts[at + 1] ?? ""] as const] : []));
}

/** Returns the error of Redis. Subscriptions need a connection of their own. */
function trySubscribe(
  openSubscriber: (events: SubscriberEvents) => Subscriber,
  channel: string,
  timeoutMs: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    // A connection that is lost or slow says nothing about the rights.
    const timer = setTimeout(() => end(undefined), timeoutMs);
    const subscriber = openSubscriber({
      onReady: (connection) => void connection.subscribe(channel).then(() => end(undefined), end),
      onMessage: () => {},
    });
    function end(error: unknown): void {
      clearTimeout(timer);
      subscriber.close();
      resolve(error instanceof Error ? error.message : undefined);
    }
  });
}
