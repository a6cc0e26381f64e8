import { Redis } from "ioredis";
import { open } from "lmdb";
import type { DeliveryFigures } from "./deliver.ts";
import type { Receiver } from "./open-receiver.ts";
import { openOwnSender } from "./own-sender.ts";
import { sampleBody } from "./sample-order.ts";

/** The storage of a bare outbox. Each call is as durable as the storage. */
export interface BareOutbox {
  /** Writes the record and its queue entry. */
  publish(id: string, record: string, entry: string): Promise<unknown>;
  /** Removes the queue entry and writes the result. */
  record(id: string, result: string): Promise<unknown>;
  close(): Promise<void>;
}

export function bareMemory(): BareOutbox {
  const rows = new Map<string, string>();
  return {
    async publish(id, record, entry) {
      rows.set(`record/${id}`, record);
      rows.set(`queue/${id}`, entry);
    },
    async record(id, result) {
      rows.delete(`queue/${id}`);
      rows.set(`log/${id}`, result);
    },
    close: async () => {},
  };
}

export function bareFilesystem(directory: string): BareOutbox {
  const rows = open({ path: directory, encoding: "string" });
  return {
    publish: (id, record, entry) =>
      Promise.all([rows.put(`record/${id}`, record), rows.put(`queue/${id}`, entry)]),
    record: (id, result) => Promise.all([rows.remove(`queue/${id}`), rows.put(`log/${id}`, result)]),
    close: () => rows.close(),
  };
}

/** One script per call over a hash and an index of its keys, as in our adapter. */
export function bareRedis(url: string): BareOutbox {
  const client = new Redis(url, { enableAutoPipelining: true });
  const keys = ["rows", "index"];
  const publishing = `redis.call('hset', KEYS[1], unpack(ARGV))
redis.call('zadd', KEYS[2], 0, ARGV[1], 0, ARGV[3])`;
  const recording = `redis.call('hdel', KEYS[1], ARGV[1])
redis.call('zrem', KEYS[2], ARGV[1])
redis.call('hset', KEYS[1], ARGV[2], ARGV[3])
redis.call('zadd', KEYS[2], 0, ARGV[2])`;
  const loaded = client
    .flushall()
    .then(() => Promise.all([client.script("LOAD", publishing), client.script("LOAD", recording)]));
  const run = async (script: 0 | 1, values: readonly string[]): Promise<unknown> =>
    client.evalsha(String((await loaded)[script]), keys.length, ...keys, ...values);
  return {
    publish: (id, record, entry) => run(0, [`record/${id}`, record, `queue/${id}`, entry]),
    record: (id, result) => run(1, [`queue/${id}`, `log/${id}`, result]),
    async close() {
      await client.quit();
    },
  };
}

const maximumOnTheirWay = 1_024;
const entryLength = 200;
const resultLength = 400;

/**
 * The minimum of a durable sender: three rows written and one removed, with the same sizes as ours. It has no
 * validation, no indexes, no queue per webhook, no lease, no retry and no log. It shows the cost of the storage and the
 * transport alone.
 */
export async function measureBareOutbox(
  outbox: BareOutbox,
  receiver: Receiver,
  count: number,
): Promise<DeliveryFigures> {
  await receiver.reset();
  await using sender = openOwnSender(`${receiver.origin}/hook`);
  const body = sampleBody();
  const entry = body.slice(0, entryLength);
  const result = body.slice(0, resultLength);
  let started = 0;
  const loop = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      const id = `dlv_${String(started).padStart(32, "0")}`;
      await outbox.publish(id, body, entry);
      await sender.send(id, body);
      await outbox.record(id, result);
    }
  };
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: maximumOnTheirWay }, loop));
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const { received, distinct } = await receiver.counts();
  await outbox.close();
  return {
    perSecond: count / seconds,
    cpuMicroseconds: (user + system) / count,
    lost: count - distinct,
    duplicates: received - distinct,
  };
}
