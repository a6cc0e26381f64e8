import { idsSince } from "@hookwright/domain";
import type { Notice } from "@hookwright/domain";
import { partitionOf, partitions } from "@hookwright/storage";
import type { Commit, Key, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { createFakeClock, rest } from "./support/fake-clock.ts";
import { createCase, hang, notice, refuse } from "./support/notice-case.ts";

/** Two accounts in one partition. */
const other = Array.from({ length: 10_000 }, (_, number) => `acc_x${number}`).find(
  (id) => partitionOf(id) === partitionOf("acc_1"),
);
if (other === undefined) throw new Error("no account is in the same partition");
const recovered = { ...notice, type: "recovered", consecutiveFailures: 0, lastFailure: null } as const;

/** Writes a row, as a damaged store has it. */
async function write(store: Store, table: string, parts: readonly string[], value: string): Promise<void> {
  const key: Key = [partitionOf("acc_1"), table, ...parts];
  await store.commit(key[0], { mutations: [{ type: "set", key, value }] });
}

const idsOf = (number: number): string => `${idsSince("ntc", number)}7000800000000000000`;

describe("a partition that is drained, or whose lease has lapsed", () => {
  it("starts no call, and does not repeat the one that has ended meanwhile", async () => {
    let isOpen = true;
    const { clock, notify, attempts, lines, rows } = await createCase(
      async () => {
        isOpen = false;
      },
      { isOpen: () => isOpen },
    );
    await notify(notice);
    // What had started is recorded: the lease is still held.
    expect([attempts.length, await rows()]).toEqual([1, []]);
    await notify({ ...notice, webhookId: "wh_2" });
    await clock.advance(600_000);
    expect([attempts.length, (await rows()).length, lines]).toEqual([1, 1, []]);
    isOpen = true;
    await clock.advance(1_000);
    expect([attempts.length, await rows()]).toEqual([2, []]);
  });

  it("repeats a mail in the next process alone if the lease was lost while it was sent", async () => {
    const clock = createFakeClock(() => rest(40));
    const store = memoryStore({ now: clock.now });
    const lease: Key = [partitionOf("acc_1"), "lease"];
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = [partitionOf("acc_1")];
    const first = await createCase(() => promise, { clock, store, held });
    await first.notify(notice);
    await store.commit(lease[0], { mutations: [{ type: "set", key: lease, value: "another process" }] });
    held.length = 0;
    resolve();
    await clock.advance(600_000);
    await store.commit(lease[0], { mutations: [{ type: "delete", key: lease }] });
    const next = await createCase(async () => {}, { clock, store });
    await clock.advance(600_000);
    expect([first.attempts.length, next.attempts.length, await next.rows()]).toEqual([1, 1, []]);
  });

  it("waits at most five seconds for its calls, and not for those of other partitions", async () => {
    const { clock, runner, notify } = await createCase(hang);
    await notify(notice);
    const ended: string[] = [];
    void runner.drained(partitionOf("acc_2")).then(() => ended.push("acc_2"));
    void runner.drained(partitionOf("acc_1")).then(() => ended.push("acc_1"));
    await clock.advance(4_999);
    expect(ended).toEqual(["acc_2"]);
    await clock.advance(1);
    expect(ended).toEqual(["acc_2", "acc_1"]);
  });
});

describe("one damaged row", () => {
  it.each(['{"at":0}', "{", '{"at":0,"notice":{},"left":[]}', "null"])(
    "of a notice (%s) is removed and reported, and the others are handed over",
    async (damaged) => {
      const { clock, store, notify, attempts, lines, rows, setEmail } = await createCase(async () => {});
      await setEmail("other@example.com", other);
      await write(store, "notice", ["acc_1", idsOf(1)], damaged);
      await notify(notice);
      await notify({ ...notice, accountId: other });
      await clock.advance(1_000);
      expect(attempts.map(({ mail }) => mail.to)).toEqual(["owner@example.com", "other@example.com"]);
      expect([lines.map(({ code }) => code), await rows()]).toEqual([["notices_not_read"], []]);
    },
  );

  it("of the targets of an account delays its notices alone, and they are given up after a day", async () => {
    const { clock, store, notify, attempts, lines, rows, setEmail } = await createCase(async () => {});
    await setEmail("other@example.com", other);
    await write(store, "notice-targets", ["acc_1"], "{");
    await notify(notice);
    await notify({ ...notice, accountId: other });
    await clock.advance(1_000);
    expect(attempts.map(({ mail }) => mail.to)).toEqual(["other@example.com"]);
    await clock.advance(25 * 3_600_000);
    expect(lines[0]).toMatchObject({ code: "notices_not_read", fields: { tries: 1, again_in_ms: 5_000 } });
    expect(lines.length).toBeLessThan(30);
    expect([lines.at(-1)?.code, await rows()]).toEqual(["notice_not_handled", []]);
  });
});

describe("a program that never answers", () => {
  it("delays no mail", async () => {
    const { clock, notify, attempts } = await createCase(async () => {}, { onNotice: hang });
    for (let number = 1; number <= 20; number++) await notify({ ...notice, webhookId: `wh_${number}` });
    await clock.advance(1_000);
    expect(attempts[0]?.at).toBe(0);
  });

  it("for one notice gets the others", async () => {
    const got: string[] = [];
    const { clock, notify } = await createCase(async () => {}, {
      onNotice({ webhook }) {
        got.push(String(webhook?.id));
        return webhook?.id === "wh_1" ? hang() : undefined;
      },
    });
    for (const webhookId of ["wh_1", "wh_2", "wh_3"]) await notify({ ...recovered, webhookId });
    await clock.advance(70_000);
    expect(got.slice(0, 3)).toEqual(["wh_1", "wh_2", "wh_3"]);
  });
});

describe("a program that fails or is slow", () => {
  it("is called again, although the mail was sent meanwhile", async () => {
    const { promise: mailed, resolve } = Promise.withResolvers<void>();
    const got: string[] = [];
    const { clock, notify, attempts, lines, rows } = await createCase(async () => {}, {
      async onNotice({ id }) {
        got.push(id);
        if (got.length > 1) return;
        await mailed;
        throw new Error("not now");
      },
    });
    await notify(notice);
    expect([attempts.length, got.length]).toEqual([1, 1]);
    resolve();
    await clock.advance(6_000);
    expect([attempts.length, got.length, new Set(got).size]).toEqual([1, 2, 1]);
    expect([lines.map(({ code }) => code), await rows()]).toEqual([["notice_retried"], []]);
  });

  it("gets the notices of other accounts that wait for it, although their mails were sent", async () => {
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const got = new Set<string>();
    const { clock, notify, attempts, setEmail } = await createCase(async () => {}, {
      held: partitions,
      onNotice({ account_id: id }) {
        got.add(id);
        return answered;
      },
    });
    const ids = Array.from({ length: 20 }, (_, number) => `acc_y${number}`);
    for (const id of ids) {
      await setEmail(`${id}@example.com`, id);
      await notify({ ...notice, accountId: id });
    }
    expect(attempts.length).toBe(20);
    resolve();
    await clock.advance(2_000);
    expect(got.size).toBe(20);
  });
});

describe("a pile of notices", () => {
  it("of one account is at most a thousand: the oldest are dropped and logged, and a mail names fifty", async () => {
    const clock = createFakeClock(() => rest(400));
    const store = memoryStore({ now: clock.now });
    const busy = await createCase(refuse, { clock, store, held: [] });
    await busy.notify(notice);
    const [row] = await busy.rows();
    if (row === undefined) throw new Error("there is no notice");
    const stored = JSON.parse(row.value);
    const mutations: Commit["mutations"][number][] = [];
    for (let number = 1; number <= 5_000; number++) {
      const id = idsOf(number);
      const value = JSON.stringify({ ...stored, notice: { ...stored.notice, id } });
      mutations.push({ type: "set", key: [partitionOf("acc_1"), "notice", "acc_1", id], value });
    }
    await store.commit(partitionOf("acc_1"), { mutations });
    const { attempts, lines } = await createCase(async () => {}, { clock, store });
    await clock.advance(60_000);
    const dropped = lines.filter(({ code }) => code === "notices_dropped");
    expect(dropped.reduce((sum, { fields }) => sum + Number(fields["count"]), 0)).toBe(4_001);
    expect(attempts.length).toBeLessThanOrEqual(11);
    for (const { mail } of attempts) expect(mail.text.split("(wh_1)").length - 1).toBeLessThanOrEqual(50);
    expect(/… and \d+ more\./u.test(attempts[0]?.mail.text ?? "")).toBe(true);
  });
});

it("a notice that has waited for more than a day is tried for a day too", async () => {
  const clock = createFakeClock(() => rest(40));
  const store = memoryStore({ now: clock.now });
  const stopped = await createCase(refuse, { clock, store, held: [] });
  await stopped.notify(notice);
  clock.jump(30 * 3_600_000);
  let isUnavailable = true;
  const { attempts, rows } = await createCase(() => (isUnavailable ? refuse() : Promise.resolve()), {
    clock,
    store,
  });
  await clock.advance(1_000);
  isUnavailable = false;
  await clock.advance(10_000);
  expect([attempts.length, await rows()]).toEqual([2, []]);
});

it("a webhook whose deliveries fail all the time holds up no notice, and is noticed itself", async () => {
  const clock = createFakeClock(() => rest(40));
  const memory = memoryStore({ now: clock.now });
  const row = {
    target_url: notice.targetUrl,
    events: notice.events,
    first_at: clock.now(),
    last_at: clock.now(),
    last_delivery: "dlv_1",
    last_failure: "The endpoint answered 500.",
  };
  let count = 0;
  const fail = () =>
    write(memory, "failed-deliveries", ["acc_1", "wh_9"], JSON.stringify({ ...row, count: ++count }));
  const store: Store = {
    ...memory,
    async list(options) {
      const entries = await memory.list(options);
      // As the recorder does, between the read and the commit.
      if (options.prefix[1] === "failed-deliveries") await fail();
      return entries;
    },
  };
  const got: string[] = [];
  const onNotice = ({ kind }: Notice): void => void got.push(kind);
  const { notify, attempts, setEmail } = await createCase(async () => {}, { clock, store, onNotice });
  await setEmail("other@example.com", other);
  await fail();
  await clock.advance(301_000);
  await notify({ ...notice, accountId: other });
  await clock.advance(60_000);
  expect(attempts.map(({ mail }) => mail.to)).toEqual(["other@example.com"]);
  expect(got).toContain("delivery.failed");
});
