import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { createEventStreams } from "../src/streams/event-streams.ts";
import type { EventSource } from "../src/streams/event-streams.ts";
import { createChangeSignal } from "../src/streams/change-signal.ts";
import { createStreamAccessChecks } from "../src/streams/stream-access.ts";
import { expectIntegrations } from "@hookwright/domain";
import { createFakeClock } from "./support/fake-clock.ts";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

useQuickScrypt();

const login = { email: "owner@example.com", password: "correct horse battery" };
const hourMs = 3_600_000;

/** An account on a store that two processes share. One of them has the streams, the other one makes the changes. */
async function openWorld({ losesNotifications = false } = {}) {
  const clock = createFakeClock();
  const memory = memoryStore({ now: clock.now });
  const reads: number[] = [];
  let isDown = false;
  const store: Store = {
    ...memory,
    commit: (partition, commit) =>
      memory.commit(partition, losesNotifications ? { ...commit, notify: undefined } : commit),
    async getMany(keys) {
      reads.push(keys.length);
      if (isDown) throw new Error("no storage");
      return memory.getMany(keys);
    },
  };
  const { service } = openService({ store: memory, wrap: () => store, now: clock.now });
  await service.accounts.put("acc_1", login);
  const key = await service.apiKeys.create("acc_1", { name: "a tool" });
  const session = await service.sessions.create(login);
  const accessChecks = createStreamAccessChecks({
    store,
    authenticate: service.authenticate,
    clock,
    now: clock.now,
  });
  const streams = createEventStreams({ clock, accessChecks });

  /** Opens a stream that sends what is added to it. */
  async function open(token: string, row?: EventSource["row"]) {
    const signal = createChangeSignal({ clock });
    const waiting: string[] = [];
    const chunks: string[] = [];
    const errors: unknown[] = [];
    const state = { isEnded: false };
    let seen = 0;
    const stream = await streams.open(
      {
        token,
        caller: await service.authenticate(token),
        check: ({ account }) => expectIntegrations(account),
      },
      async () => ({
        greeting: ": hello\n\n",
        row,
        async read() {
          seen = signal.version();
          return waiting.shift();
        },
        changed: (ms) => signal.changed(seen, ms),
        end: signal.touch,
        onError: (error) => errors.push(error),
      }),
    );
    async function follow(): Promise<void> {
      for (let chunk = await stream.next(); chunk !== undefined; chunk = await stream.next())
        chunks.push(chunk);
      state.isEnded = true;
    }
    follow().catch(() => {});
    return {
      chunks,
      errors,
      state,
      close: () => stream.close(),
      send(chunk: string) {
        waiting.push(chunk);
        signal.touch();
      },
    };
  }

  return {
    clock,
    store,
    service,
    key,
    session,
    open,
    reads,
    breakStore: (isBroken: boolean) => void (isDown = isBroken),
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

const endings: readonly (readonly [string, "key" | "session", (world: World) => Promise<unknown>])[] = [
  ["its key is revoked", "key", ({ service, key }) => service.apiKeys.revoke(key.id)],
  ["its session signs out", "session", ({ service, session }) => service.sessions.remove(session.token)],
  ["all sessions of the account are ended", "session", ({ service }) => service.sessions.removeAll("acc_1")],
  [
    "the password changes",
    "session",
    ({ service }) => service.accounts.put("acc_1", { password: "another one" }),
  ],
  [
    "its account is suspended",
    "key",
    ({ service }) => service.accounts.put("acc_1", { status: "suspended" }),
  ],
  [
    "the plan loses its integrations",
    "session",
    ({ service }) => service.accounts.put("acc_1", { plan: { integrations: false } }),
  ],
];

describe.each(endings)("a stream, when %s,", (_, kind, endAccess) => {
  const tokenOf = ({ key, session }: World): string => (kind === "key" ? key.api_key : session.token);

  it("ends at once and sends nothing that happened later", async () => {
    const world = await openWorld();
    const { send, chunks, state } = await world.open(tokenOf(world));
    send("before");
    await world.clock.advance(100);
    await endAccess(world);
    send("after");
    await world.clock.advance(0);
    expect([chunks, state.isEnded]).toEqual([[": hello\n\n", "before"], true]);
    expect(world.clock.timers).toBe(0);
  });

  it("ends within a second if the notification is lost", async () => {
    const world = await openWorld({ losesNotifications: true });
    const { state } = await world.open(tokenOf(world));
    await world.clock.advance(2_000);
    expect(state.isEnded).toBe(false);
    await endAccess(world);
    await world.clock.advance(1_000);
    expect(state.isEnded).toBe(true);
  });
});

describe("a stream", () => {
  it("ends when its session expires", async () => {
    const { open, session, clock } = await openWorld();
    const { state } = await open(session.token);
    await clock.advance(hourMs - 1_000);
    expect(state.isEnded).toBe(false);
    await clock.advance(2_000);
    expect(state.isEnded).toBe(true);
  });

  it("ends if its key was revoked after the request was authenticated", async () => {
    const { open, key, service, clock, store } = await openWorld();
    const { getMany } = store;
    let isRevoked = false;
    Object.assign(store, {
      async getMany(keys: Parameters<Store["getMany"]>[0]) {
        const texts = await getMany(keys);
        if (isRevoked) return texts;
        isRevoked = true;
        await service.apiKeys.revoke(key.id);
        return texts;
      },
    });
    const { state } = await open(key.api_key);
    await clock.advance(0);
    expect(state.isEnded).toBe(true);
  });

  it("ends when the row that it is about is removed", async () => {
    const { open, key, clock, store } = await openWorld();
    const row = ["p00", "listener", "acc_1", "lsn_1"] as const;
    await store.commit("p00", { mutations: [{ type: "set", key: row, value: "{}" }] });
    const { state } = await open(key.api_key, row);
    await clock.advance(1_000);
    expect(state.isEnded).toBe(false);
    await store.commit("p00", { mutations: [{ type: "delete", key: row }] });
    await clock.advance(1_000);
    expect(state.isEnded).toBe(true);
  });

  it("stays while the storage is unavailable, and sends nothing that it cannot confirm", async () => {
    const { open, key, clock, breakStore } = await openWorld();
    const idle = await open(key.api_key);
    const busy = await open(key.api_key);
    await clock.advance(1_000);
    breakStore(true);
    await clock.advance(10_000);
    busy.send("unconfirmed");
    await clock.advance(0);
    expect([idle.state.isEnded, idle.chunks, busy.chunks]).toEqual([false, [": hello\n\n"], [": hello\n\n"]]);
    expect(busy.errors).toHaveLength(1);
    breakStore(false);
    await clock.advance(1_000);
    idle.send("confirmed");
    await clock.advance(0);
    expect(idle.chunks).toEqual([": hello\n\n", "confirmed"]);
  });

  it("shares its reads with all other streams of the process", async () => {
    const { open, key, session, clock, reads } = await openWorld();
    const tokens = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? key.api_key : session.token));
    const opened = await Promise.all(tokens.map((token) => open(token)));
    await clock.advance(1_000);
    reads.length = 0;
    await clock.advance(7_500);
    // The key, the session, its entry in the list, the password, the last end of all sessions, and the account.
    expect(reads).toEqual(Array.from({ length: 10 }, () => 6));
    opened.forEach(({ close }) => close());
    await clock.advance(7_500);
    expect(reads).toHaveLength(10);
  });

  it("that opens while the last one closes does not double the reads", async () => {
    const { open, key, clock, store, reads } = await openWorld();
    const { getMany } = store;
    let meanwhile = async (): Promise<void> => {};
    Object.assign(store, {
      async getMany(keys: Parameters<Store["getMany"]>[0]) {
        await meanwhile();
        return getMany(keys);
      },
    });
    const first = await open(key.api_key);
    await clock.advance(100);
    meanwhile = async () => {
      meanwhile = async () => {};
      first.close();
      await open(key.api_key);
    };
    await clock.advance(2_000);
    reads.length = 0;
    await clock.advance(7_500);
    expect(reads).toHaveLength(10);
  });

  it("is a use of its key, once a minute", async () => {
    const { open, key, service, clock } = await openWorld();
    await open(key.api_key);
    await clock.advance(hourMs);
    const { rows } = await service.apiKeys.list("acc_1", { limit: 1 });
    expect(clock.now() - Date.parse(rows[0]?.last_used_at ?? "")).toBeLessThan(130_000);
  });
});
