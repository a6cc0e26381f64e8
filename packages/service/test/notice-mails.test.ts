import type { FailedDeliveriesRow, WebhookNotice } from "@hookwright/delivery";
import { createIdSource, idTime } from "@hookwright/domain";
import type { Notice } from "@hookwright/domain";
import { partitionOf, StorageError } from "@hookwright/storage";
import type { Commit, Key, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Mail } from "../src/notices/notice-mail.ts";
import { toKeyNotice, toNoticeMutation } from "../src/rows/notice-row.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { createCase, hang, notice, refuse } from "./support/notice-case.ts";

describe("a mail to an owner", () => {
  it("is sent once, and nothing is logged", async () => {
    const { clock, notify, attempts, lines } = await createCase(async () => {});
    await notify(notice);
    await clock.advance(3_600_000);
    expect(attempts).toMatchObject([{ mail: { to: "owner@example.com" }, at: 0 }]);
    expect(lines).toEqual([]);
  });

  it("is retried with growing delays for a day, then given up, and each failure is logged", async () => {
    const { clock, notify, attempts, lines, rows } = await createCase(refuse);
    await notify(notice);
    await clock.advance(2 * 24 * 3_600_000);
    expect(attempts.map(({ at }) => at).slice(0, 6)).toEqual([0, 5, 65, 665, 4_265, 7_865]);
    expect(attempts.at(-1)?.at).toBeLessThanOrEqual(24 * 3_600);
    const about = {
      account_id: "acc_1",
      webhook_id: "wh_1",
      notice: "webhook.switched_off",
      notice_id: expect.stringMatching(/^ntc_/u),
    };
    const error = "421 come back later";
    expect(lines.slice(0, 2)).toEqual([
      { code: "mail_retried", fields: { ...about, error, tries: 1, again_in_ms: 5_000 } },
      { code: "mail_retried", fields: { ...about, error, tries: 2, again_in_ms: 60_000 } },
    ]);
    expect(lines.at(-1)).toEqual({
      code: "mail_not_sent",
      fields: { ...about, error, tries: attempts.length },
    });
    expect(await rows()).toEqual([]);
  });

  it("is retried to the current address of the account", async () => {
    let isUnavailable = true;
    const { clock, notify, attempts, setEmail } = await createCase(() =>
      isUnavailable ? refuse() : Promise.resolve(),
    );
    await notify(notice);
    await clock.advance(1_000);
    isUnavailable = false;
    await setEmail("new-owner@example.com");
    await clock.advance(3_600_000);
    expect(attempts.map(({ mail, at }) => [mail.to, at])).toEqual([
      ["owner@example.com", 0],
      ["new-owner@example.com", 5],
    ]);
  });

  it("has failed if the mailer does not answer within a minute", async () => {
    const { clock, notify, attempts } = await createCase(hang);
    await notify(notice);
    await clock.advance(1_000_000);
    expect(attempts.map(({ at }) => at)).toEqual([0, 65, 185, 845]);
  });

  it("is one of at most eight in progress", async () => {
    const held = Array.from({ length: 20 }, (_, count) => partitionOf(`acc_${count}`));
    const { clock, notify, attempts, setEmail } = await createCase(hang, { held });
    for (let count = 0; count < 20; count++) {
      const accountId = `acc_${count}`;
      await setEmail("owner@example.com", accountId);
      await notify({ ...notice, accountId });
    }
    await clock.advance(1_000);
    expect(attempts.length).toBe(8);
    await clock.advance(60_000);
    expect(attempts.length).toBe(16);
  });

  it("names all that happens within a second", async () => {
    const { clock, notify, attempts } = await createCase(async () => {}, { togetherMs: undefined });
    for (let number = 1; number <= 3; number++) {
      await clock.advance(100);
      await notify({ ...notice, webhookId: `wh_${number}` });
    }
    await clock.advance(699);
    expect(attempts).toEqual([]);
    await clock.advance(1);
    expect(attempts.map(({ mail }) => mail.subject)).toEqual(["3 messages about your webhooks"]);
  });

  it("names all notices that waited for the mail before it", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { clock, notify, attempts } = await createCase(() => promise);
    for (let number = 1; number <= 4; number++) await notify({ ...notice, webhookId: `wh_${number}` });
    resolve();
    await clock.advance(1_000);
    expect(attempts.map(({ mail }) => mail.subject)).toEqual([
      "Your webhook was disabled",
      "3 messages about your webhooks",
    ]);
    for (const id of ["wh_2", "wh_3", "wh_4"]) expect(attempts[1]?.mail.text).toContain(`(${id})`);
  });
});

it("the test of an address whose first kind is a warning is sent", async () => {
  const { clock, store, runner, attempts, rows } = await createCase(async () => {});
  const context = { now: clock.now, newId: createIdSource({ now: clock.now, randomBytes }) };
  const facts = { kind: "webhook.failing", message: "This is a test." } as const;
  const mutation = toNoticeMutation(context, "acc_1", facts, { only: "account" });
  await store.commit(mutation.key[0], { mutations: [mutation] });
  runner.wake("acc_1");
  await clock.advance(1_000);
  expect(attempts.map(({ mail }) => mail.subject)).toEqual(["A test of your notices"]);
  expect(await rows()).toEqual([]);
});

describe("a process that ends", () => {
  it("loses no notice: the next one sends the mail", async () => {
    const first = await createCase(refuse);
    const { clock, store } = first;
    await first.notify(notice);
    await clock.advance(1_000);
    await first.runner.close();
    await first.notify({ ...notice, webhookId: "wh_2" });
    await clock.advance(3_600_000);
    expect(first.attempts).toHaveLength(1);
    const next = await createCase(async () => {}, { clock, store });
    await clock.advance(1_000);
    expect(next.attempts).toHaveLength(2);
    await clock.advance(3_600_000);
    expect([next.attempts.length, await next.rows()]).toEqual([2, []]);
  });

  it("waits at most a second for mails in progress", async () => {
    const { clock, notify, runner } = await createCase(hang);
    await notify(notice);
    let closedAfterMs: number | undefined;
    const start = clock.now();
    void runner.close().then(() => (closedAfterMs = clock.now() - start));
    await clock.advance(120_000);
    expect(closedAfterMs).toBe(1_000);
  });

  it("waits for a mail in progress, and does not send it again", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { clock, notify, runner, rows } = await createCase(() => promise);
    await notify(notice);
    const closed = runner.close();
    resolve();
    await closed;
    await clock.advance(1_000);
    expect(await rows()).toEqual([]);
  });
});

describe("the program", () => {
  it("gets each notice once, and again after an error", async () => {
    const got: Notice[] = [];
    let isBroken = true;
    const { clock, notify, lines, rows } = await createCase(async () => {}, {
      async onNotice(each) {
        got.push(each);
        if (isBroken) throw new Error("the pager is down");
      },
    });
    await notify({ ...notice, type: "recovered", consecutiveFailures: 0, lastFailure: null });
    isBroken = false;
    await clock.advance(3_600_000);
    expect(got).toHaveLength(2);
    expect(got[1]).toEqual(got[0]);
    expect(got[0]).toEqual({
      id: expect.stringMatching(/^ntc_/u),
      kind: "webhook.recovered",
      account_id: "acc_1",
      created_at: "2026-11-20T09:30:00Z",
      message: "Your endpoint accepts deliveries to https://example.com/hooks (wh_1) again.",
      webhook: { id: "wh_1", target_url: "https://example.com/hooks", events: ["order.created"] },
      last_failure: null,
      deliveries: null,
      key: null,
    });
    expect(lines).toMatchObject([
      { code: "notice_retried", fields: { error: "the pager is down", tries: 1 } },
    ]);
    expect(await rows()).toEqual([]);
  });

  it("gets one notice for many deliveries that have failed", async () => {
    const got: Notice[] = [];
    const { clock, store, attempts } = await createCase(async () => {}, {
      onNotice: (each) => void got.push(each),
    });
    const key: Key = [partitionOf("acc_1"), "failed-deliveries", "acc_1", "wh_1"];
    const row: FailedDeliveriesRow = {
      target_url: notice.targetUrl,
      events: notice.events,
      count: 5_000,
      first_at: clock.now(),
      last_at: clock.now() + 1_000,
      last_delivery: "dlv_1",
      last_failure: "The endpoint answered 500.",
    };
    await store.commit(key[0], { mutations: [{ type: "set", key, value: JSON.stringify(row) }] });
    await clock.advance(3_600_000);
    await clock.advance(3_600_000);
    expect(got).toMatchObject([
      {
        kind: "delivery.failed",
        message: "5000 deliveries to https://example.com/hooks (wh_1) have finally failed.",
        deliveries: { count: 5_000, last_id: "dlv_1", last_at: "2026-11-20T09:30:01Z" },
      },
    ]);
    expect(await store.get(key)).toBeUndefined();
    // Unless the account asks for it, its address gets no mail.
    expect(attempts).toEqual([]);
  });
});

describe("a key that ends", () => {
  const day = 24 * 3_600_000;

  async function createKey(days: number, revokedAt: number | null = null) {
    const opened = await createCase(async () => {});
    const { clock, store } = opened;
    const key: Key = [partitionOf("acc_1"), "api-key", "acc_1", "key_1"];
    const value = JSON.stringify({ id: "key_1", revoked_at: revokedAt });
    const context = { now: clock.now, newId: createIdSource({ now: clock.now, randomBytes }) };
    const ends = { id: "key_1", name: "Zapier", expiresAt: clock.now() + days * day };
    const { mutation, noticeId, isDue } = toKeyNotice(context, "acc_1", ends);
    const mutations = [{ type: "set", key, value } as const, mutation];
    await store.commit(key[0], { mutations, notify: [[key[0], "notice", "acc_1"]] });
    return { ...opened, noticeId, isDue };
  }

  it("is announced a week before, or at once if its life is shorter", async () => {
    const long = await createKey(30);
    long.clock.jump(23 * day - 120_000);
    await long.clock.advance(60_000);
    expect(long.attempts).toEqual([]);
    await long.clock.advance(120_000);
    expect(long.attempts.map(({ mail }) => mail.subject)).toEqual(["Your API key ends soon: Zapier"]);
    expect(long.attempts[0]?.mail.text).toContain("ends at 2026-12-20T09:30:00Z.");
    const short = await createKey(2);
    await short.clock.advance(1_000);
    expect(short.attempts).toHaveLength(1);
    expect(await short.rows()).toEqual([]);
  });

  it("has a notice with an id of the time at which it is due, so that lists stay newest first", async () => {
    const [long, short] = [await createKey(30), await createKey(2)];
    expect([long.isDue, short.isDue]).toEqual([false, true]);
    expect(idTime(long.noticeId)).toBe(long.clock.now() + 23 * day);
    expect(idTime(short.noticeId)).toBe(short.clock.now());
  });

  it("is not announced if it was revoked before", async () => {
    const { clock, attempts, rows } = await createKey(30, 1);
    clock.jump(31 * day);
    await clock.advance(120_000);
    expect([attempts, await rows()]).toEqual([[], []]);
  });
});

describe("the mails of one account", () => {
  const hour = 3_600_000;
  const warningOf = (number: number, fields: Partial<WebhookNotice> = {}): WebhookNotice => ({
    ...notice,
    type: "failing",
    webhookId: `wh_${number}`,
    targetUrl: `https://example.com/hooks/${number}`,
    consecutiveFailures: 6,
    ...fields,
  });
  const subjectsOf = (sent: readonly { readonly mail: Mail }[]) => sent.map(({ mail }) => mail.subject);
  const warning = "Your webhook is failing: 6 attempts in a row";
  const disabled = "Your webhook was disabled";
  const summary = "There are more messages about your webhooks";

  it("include only one warning if a failing webhook is deleted and created again four times", async () => {
    const { clock, notify, attempts, lines } = await createCase(async () => {});
    for (let round = 1; round <= 4; round++) {
      // Both spellings are the same endpoint.
      const targetUrl = round % 2 === 0 ? "https://example.com/hooks" : "https://EXAMPLE.com:443/hooks#top";
      await notify(warningOf(round, { targetUrl }));
      await clock.advance(1_000);
      await notify({ ...notice, webhookId: `wh_${round}`, targetUrl });
      await clock.advance(1_000);
    }
    expect(subjectsOf(attempts)).toEqual([warning, ...Array.from({ length: 4 }, () => disabled)]);
    expect(lines).toEqual(
      [2, 3, 4].map((round) => ({
        code: "mail_held_back",
        fields: {
          account_id: "acc_1",
          webhook_id: `wh_${round}`,
          notice: "webhook.failing",
          notice_id: expect.any(String),
          reason: "already_warned",
        },
      })),
    );
    // Another event with the same URL is another webhook. After a day the same webhook causes a new warning.
    await notify(warningOf(6, { targetUrl: notice.targetUrl, events: ["order.paid"] }));
    await clock.advance(24 * hour);
    await notify(warningOf(7, { targetUrl: notice.targetUrl }));
    await clock.advance(1_000);
    expect(subjectsOf(attempts).slice(5)).toEqual([warning, warning]);
  });

  it("are one for all that happens in the five minutes after the fifth or a later one, except tests", async () => {
    const { clock, notify, attempts, lines, store, runner } = await createCase(async () => {});
    for (let round = 1; round <= 12; round++) await notify(warningOf(round));
    for (let round = 1; round <= 12; round++) await notify({ ...warningOf(round), type: "switched_off" });
    await clock.advance(60_000);
    expect(subjectsOf(attempts)).toHaveLength(5);
    const context = { now: clock.now, newId: createIdSource({ now: clock.now, randomBytes }) };
    const facts = { kind: "webhook.failing", message: "This is a test." } as const;
    const test = toNoticeMutation(context, "acc_1", facts, { only: "account" });
    await store.commit(test.key[0], { mutations: [test] });
    runner.wake("acc_1");
    await clock.advance(hour);
    expect(attempts.slice(5).map(({ mail, at }) => [mail.subject, at])).toEqual([
      ["A test of your notices", 60],
      ["19 messages about your webhooks", 360],
    ]);
    expect(lines).toEqual([]);
  });

  it("name the webhook that a 410 removed, within the same limit", async () => {
    const { clock, notify, attempts } = await createCase(async () => {});
    for (let round = 1; round <= 12; round++) {
      const lastFailure = "The endpoint answered 410.";
      await notify({ ...warningOf(round), type: "gone", consecutiveFailures: 1, lastFailure });
      await clock.advance(300_000);
    }
    const removed = "Your webhook was removed";
    expect(subjectsOf(attempts)).toEqual([...Array.from({ length: 10 }, () => removed), summary]);
    const [first, ...rest] = attempts.map(({ mail }) => mail.text.split("\n"));
    expect(first?.[0]).toBe(
      "Your endpoint answered a delivery to https://example.com/hooks/1 (wh_1) with 410, so the webhook was removed.",
    );
    expect(rest.at(-1)).toContain(
      "Your endpoint answered a delivery to https://example.com/hooks/11 (wh_11) with 410, so the webhook was removed.",
    );
  });

  it("end with a link to the console, if it has a URL", async () => {
    const consoleUrl = "https://hooks.example.com/console";
    const { clock, notify, attempts } = await createCase(async () => {}, { consoleUrl });
    await notify(warningOf(1));
    await notify({ ...warningOf(2), type: "gone" });
    for (let round = 3; round <= 11; round++) {
      await notify(warningOf(round));
      await clock.advance(300_000);
    }
    const lines = attempts.map(({ mail }) => mail.text.split("\n"));
    for (const each of lines) expect(each.at(-1)).toMatch(/^Stop these mails: .*#\/stop\/hws_/u);
    const lastLines = lines.map((each) => each.at(-3));
    expect(lastLines.slice(0, 2)).toEqual([`${consoleUrl}#/webhooks/wh_1`, `${consoleUrl}#/webhooks`]);
    // Those that wait for the storage at the same time have no order.
    expect(lastLines).toContain(`${consoleUrl}#/webhooks/wh_3`);
    expect([subjectsOf(attempts).at(-1), lastLines.at(-1)]).toEqual([summary, `${consoleUrl}#/webhooks`]);
  });

  it("are at most ten in 24 hours and one summary; the others are logged", async () => {
    const { clock, notify, attempts, lines } = await createCase(async () => {});
    for (let round = 1; round <= 50; round++) {
      await notify(warningOf(round));
      await clock.advance(300_000);
      await notify({ ...warningOf(round), type: "switched_off", consecutiveFailures: 30 });
      await clock.advance(300_000);
    }
    expect(subjectsOf(attempts)).toEqual([
      ...Array.from({ length: 5 }, () => [warning, disabled]).flat(),
      summary,
    ]);
    expect(lines).toHaveLength(89);
    for (const { code, fields } of lines)
      expect([code, fields["reason"]]).toEqual(["mail_held_back", "limit_reached"]);
    expect(attempts[10]?.mail).toEqual({
      to: "owner@example.com",
      subject: summary,
      text: [
        "In the last 24 hours we sent you 10 mails about your webhooks. There are more messages, and we do not send each of them.",
        "The developer console shows which of your webhooks are failing, disabled or removed. Please look there.",
        "",
        "The latest message: Your webhook is failing: 6 attempts in a row.",
        "Deliveries to https://example.com/hooks/6 (wh_6) have failed 6 times in a row.",
        "",
        "You will get mails about your webhooks again after 2026-11-21 09:30 UTC.",
      ].join("\n"),
    });
  });

  it("never exceed eleven in any 24 hours", async () => {
    const { clock, notify, attempts } = await createCase(async () => {});
    for (let round = 1; round <= 500; round++) {
      await notify(warningOf(round));
      await clock.advance(600_000);
    }
    const times = attempts.map(({ at }) => at);
    for (const time of times)
      expect(times.filter((at) => at >= time && at < time + 24 * 3_600).length).toBeLessThanOrEqual(11);
    // 83 hours contain the start of four periods.
    expect(times.length).toBeGreaterThanOrEqual(40);
  });

  it("are counted over all processes, including processes that start later", async () => {
    const clock = createFakeClock();
    const store = memoryStore({ now: clock.now });
    const processes = await Promise.all([1, 2].map(() => createCase(async () => {}, { store, clock })));
    for (let round = 1; round <= 40; round++) {
      await processes[round % 2]?.notify(warningOf(round, { type: "switched_off" }));
      await clock.advance(300_000);
    }
    const later = await createCase(async () => {}, { store, clock });
    await later.notify(warningOf(41));
    await clock.advance(1_000);
    const sent = [...processes, later].flatMap(({ attempts }) => subjectsOf(attempts));
    expect(sent.filter((subject) => subject === disabled)).toHaveLength(10);
    expect(sent.filter((subject) => subject === summary)).toHaveLength(1);
    expect(sent).toHaveLength(11);
  });

  it("do not count for another account", async () => {
    const { clock, notify, attempts, setEmail } = await createCase(async () => {});
    await setEmail("another@example.com", "acc_2");
    for (let round = 1; round <= 20; round++) await notify(warningOf(round));
    await notify(warningOf(1, { accountId: "acc_2" }));
    await clock.advance(1_000);
    expect(attempts.at(-1)?.mail).toMatchObject({ to: "another@example.com", subject: warning });
  });

  it("are counted once even if they are retried", async () => {
    let isUnavailable = true;
    const { clock, notify, attempts } = await createCase(() =>
      isUnavailable ? refuse() : Promise.resolve(),
    );
    for (let round = 1; round <= 5; round++) await notify(warningOf(round));
    await clock.advance(1_000);
    isUnavailable = false;
    await clock.advance(hour);
    expect(subjectsOf(attempts.filter(({ at }) => at > 0))).toEqual(["5 messages about your webhooks"]);
    // That is one mail of ten.
    for (let round = 6; round <= 16; round++) {
      await notify(warningOf(round));
      await clock.advance(300_000);
    }
    expect(subjectsOf(attempts).at(-1)).toBe(summary);
  });

  it("wait while they cannot be counted", async () => {
    const memory = memoryStore();
    let isFull = true;
    const isCount = ({ mutations }: Commit) => mutations.some(({ key }) => key[1] === "mail-count");
    const store: Store = {
      ...memory,
      commit: (partition, commit) =>
        isFull && isCount(commit)
          ? Promise.reject(new StorageError("unavailable", "the disk is full"))
          : memory.commit(partition, commit),
    };
    const { clock, notify, attempts, lines } = await createCase(async () => {}, { store });
    await notify(warningOf(1));
    expect([attempts, lines[0]?.code]).toEqual([[], "mail_retried"]);
    isFull = false;
    await clock.advance(60_000);
    expect(subjectsOf(attempts)).toEqual([warning]);
  });

  it("leave one row, which expires a day after the last mail", async () => {
    const clock = createFakeClock();
    const store = memoryStore({ now: clock.now });
    const { notify } = await createCase(async () => {}, { clock, store });
    for (let round = 1; round <= 100; round++) await notify(warningOf(round));
    await clock.advance(1_000);
    const rows = await store.list({ prefix: [partitionOf("acc_1"), "mail-count"], limit: 10 });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.value.length).toBeLessThan(1_000);
    await clock.advance(25 * hour);
    expect(await store.list({ prefix: [partitionOf("acc_1"), "mail-count"], limit: 10 })).toEqual([]);
  });
});
