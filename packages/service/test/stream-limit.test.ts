import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { createEventStreams } from "../src/streams/event-streams.ts";
import { maximumStreamsOfAccount } from "../src/streams/event-streams.ts";
import { createStreamAccessChecks } from "../src/streams/stream-access.ts";
import type { EventStream } from "../src/use-cases.ts";
import { callerOf } from "./support/caller-of.ts";
import { createFakeClock } from "./support/fake-clock.ts";

interface Client {
  readonly accountId: string;
  readonly keyId?: string;
  readonly network?: string;
}

function openStreams(maximumConnections?: number) {
  const clock = createFakeClock();
  const store = memoryStore({ now: clock.now });
  const accessChecks = createStreamAccessChecks({
    store,
    authenticate: async (token) => callerOf(token),
    clock,
    now: clock.now,
  });
  const streams = createEventStreams({ clock, accessChecks, maximumConnections });
  let prepared = 0;
  return {
    clock,
    prepared: () => prepared,
    open: ({ accountId, keyId = "key_1", network }: Client) =>
      streams.open(
        {
          token: accountId,
          caller: {
            ...callerOf(accountId),
            credential: { type: "key", keyId, name: "a tool", integration: false },
          },
          check: () => {},
          network,
        },
        async () => {
          prepared += 1;
          let end = (): void => {};
          const ended = new Promise<boolean>((resolve) => (end = () => resolve(true)));
          return {
            greeting: ": hello\n\n",
            read: async () => undefined,
            changed: () => ended,
            end,
            onError: () => {},
          };
        },
      ),
  };
}

async function readAll(stream: EventStream): Promise<string[]> {
  const chunks: string[] = [];
  for (let chunk = await stream.next(); chunk !== undefined; chunk = await stream.next()) chunks.push(chunk);
  return chunks;
}

const refusal = { code: "rate_limited", status: 429, retryAfterSeconds: 10 };

describe("streams of events", () => {
  it("use at most half of the connections, and a newcomer takes the oldest of the account with the most", async () => {
    const { open } = openStreams(20);
    const attacker = await Promise.all(Array.from({ length: 10 }, () => open({ accountId: "acc_attacker" })));
    const texts = attacker.map(readAll);
    for (let stream = 1; stream <= 5; stream++) await open({ accountId: "acc_shop" });
    await expect(open({ accountId: "acc_shop" })).rejects.toMatchObject(refusal);
    await expect(open({ accountId: "acc_attacker" })).rejects.toMatchObject(refusal);
    expect(await texts[0]).toEqual([
      ": hello\n\n",
      'event: displaced\nretry: 10000\ndata: {"message":"The server has as many streams as it may have, and ended this one for another client.","retry_after_seconds":10}\n\n',
    ]);
    for (const stream of attacker) stream.close();
    expect((await Promise.all(texts)).filter((chunks) => chunks.length === 2)).toHaveLength(5);
  });

  it("of many accounts of one network end before those of another", async () => {
    const { open } = openStreams(16);
    const shop = await open({ accountId: "acc_shop", network: "192.0.2.1" });
    const text = readAll(shop);
    for (let account = 1; account <= 30; account++)
      await open({ accountId: `acc_${account}`, network: "198.51.100.7" });
    shop.close();
    expect(await text).toEqual([": hello\n\n"]);
  });

  it("of one account are limited, and its keys share them", async () => {
    const { open } = openStreams();
    const openMany = (count: number, keyId: string) =>
      Promise.all(Array.from({ length: count }, () => open({ accountId: "acc_shop", keyId })));
    await openMany(maximumStreamsOfAccount, "key_1");
    await expect(openMany(1, "key_1")).rejects.toMatchObject(refusal);
    await openMany(maximumStreamsOfAccount / 2, "key_2");
    await expect(openMany(1, "key_2")).rejects.toMatchObject(refusal);
  });

  it("that are refused read nothing", async () => {
    const { open, prepared } = openStreams(2);
    await open({ accountId: "acc_shop" });
    await expect(open({ accountId: "acc_shop" })).rejects.toMatchObject(refusal);
    expect(prepared()).toBe(1);
  });
});
