import { partitionOf, StorageError } from "@hookwright/storage";
import type { Commit, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import type { WebhookNotice } from "@hookwright/delivery";
import { toErrorFields } from "@hookwright/domain";
import type { LogFields } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { createOwnerMails } from "../src/notices/owner-mails.ts";
import type { Mail } from "../src/notices/webhook-mail.ts";
import type { FakeClock } from "../../delivery/test/support/fake-clock.ts";
import { createFakeClock, rest } from "./support/fake-clock.ts";

const notice: WebhookNotice = {
  type: "switched_off",
  accountId: "acc_1",
  webhookId: "wh_1",
  events: ["order.created"],
  targetUrl: "https://example.com/hooks",
  consecutiveFailures: 30,
  lastFailure: "The endpoint answered 500.",
};

interface Line {
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function toLogged({ error, ...ids }: LogFields): Line["fields"] {
  return error === undefined ? ids : { ...ids, error: toErrorFields(error).error };
}

interface CaseOptions {
  readonly store?: Store;
  readonly clock?: FakeClock;
  readonly consoleUrl?: string;
}

/** Mails to one account, with a mailer that calls `send`. */
async function createCase(
  send: (mail: Mail) => Promise<void>,
  { clock = createFakeClock(), store = memoryStore({ now: clock.now }), consoleUrl }: CaseOptions = {},
) {
  const attempts: { mail: Mail; at: number }[] = [];
  const lines: Line[] = [];
  const start = clock.now();

  async function setEmail(email: string, accountId = "acc_1"): Promise<void> {
    const key = [partitionOf(accountId), "account", accountId] as const;
    await store.commit(key[0], { mutations: [{ type: "set", key, value: JSON.stringify({ email }) }] });
  }

  await setEmail("owner@example.com");
  const ownerMails = createOwnerMails({
    store,
    clock,
    consoleUrl,
    now: clock.now,
    mailer: {
      async send(mail) {
        attempts.push({ mail, at: (clock.now() - start) / 1_000 });
        await send(mail);
      },
    },
    log: (code, fields = {}) => void lines.push({ code, fields: toLogged(fields) }),
  });
  return { clock, store, ownerMails, attempts, lines, setEmail };
}

const refuse = async (): Promise<void> => {
  throw new Error("421 come back later");
};
const hang = (): Promise<void> => new Promise(() => {});

describe("a mail to an owner", () => {
  it("is sent once, and nothing is logged", async () => {
    const { clock, ownerMails, attempts, lines } = await createCase(async () => {});
    ownerMails.notify(notice);
    await clock.advance(3_600_000);
    expect(attempts).toMatchObject([{ mail: { to: "owner@example.com" }, at: 0 }]);
    expect(lines).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it("is retried with growing delays, then given up, and each failure is logged", async () => {
    const { clock, ownerMails, attempts, lines } = await createCase(refuse);
    ownerMails.notify(notice);
    await clock.advance(3_600_000);
    expect(attempts.map(({ at }) => at)).toEqual([0, 5, 65, 665]);
    const about = { account_id: "acc_1", webhook_id: "wh_1", notice: "switched_off" };
    const error = "421 come back later";
    const again = { code: "mail_retried" };
    expect(lines).toEqual([
      { ...again, fields: { ...about, error, tries: 1, again_in_ms: 5_000 } },
      { ...again, fields: { ...about, error, tries: 2, again_in_ms: 60_000 } },
      { ...again, fields: { ...about, error, tries: 3, again_in_ms: 600_000 } },
      { code: "mail_not_sent", fields: { ...about, error, tries: 4 } },
    ]);
    expect(clock.timers).toBe(0);
  });

  it("is retried to the current address of the account", async () => {
    let isUnavailable = true;
    const { clock, ownerMails, attempts, setEmail } = await createCase(() =>
      isUnavailable ? refuse() : Promise.resolve(),
    );
    ownerMails.notify(notice);
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
    const { clock, ownerMails, attempts } = await createCase(hang);
    ownerMails.notify(notice);
    await clock.advance(3_600_000);
    expect(attempts.map(({ at }) => at)).toEqual([0, 65, 185, 845]);
  });

  it("is one of at most eight in progress", async () => {
    const { clock, ownerMails, attempts, setEmail } = await createCase(hang);
    for (let count = 0; count < 20; count++) {
      const accountId = `acc_${count}`;
      await setEmail("owner@example.com", accountId);
      ownerMails.notify({ ...notice, accountId });
    }
    await clock.advance(1_000);
    expect(attempts.length).toBe(8);
    await clock.advance(60_000);
    expect(attempts.length).toBe(16);
  });

  it("is given up if a thousand wait, and it is one of the account with the most", async () => {
    const { clock, ownerMails, lines, setEmail } = await createCase(hang);
    await setEmail("owner@example.com", "acc_2");
    for (let count = 0; count < 1_013; count++) ownerMails.notify(notice);
    ownerMails.notify({ ...notice, accountId: "acc_2" });
    await clock.advance(1_000);
    expect(lines.map(({ code, fields }) => [code, fields["account_id"], fields["error"]])).toEqual(
      Array.from({ length: 6 }, () => ["mail_not_sent", "acc_1", "more than 1000 mails wait"]),
    );
  });
});

describe("closing", () => {
  it("cancels retries and logs the mails that were not sent", async () => {
    const { clock, ownerMails, attempts, lines } = await createCase(refuse);
    ownerMails.notify(notice);
    await clock.advance(1_000);
    await ownerMails.close();
    expect(lines.at(-1)).toMatchObject({
      code: "mail_not_sent",
      fields: { webhook_id: "wh_1", tries: 1, error: "421 come back later" },
    });
    expect(clock.timers).toBe(0);
    await clock.advance(3_600_000);
    expect(attempts.length).toBe(1);
  });

  it("waits at most a second for mails in progress", async () => {
    const { clock, ownerMails, lines } = await createCase(hang);
    ownerMails.notify(notice);
    await rest();
    let closedAfterMs: number | undefined;
    const start = clock.now();
    void ownerMails.close().then(() => (closedAfterMs = clock.now() - start));
    await clock.advance(120_000);
    expect(closedAfterMs).toBe(1_000);
    expect(lines.map(({ code, fields }) => [code, fields["error"]])).toEqual([
      ["mail_not_sent", "the process is closing"],
    ]);
  });

  it("waits for a mail in progress, and refuses later mails", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { clock, ownerMails, lines } = await createCase(() => promise);
    ownerMails.notify(notice);
    await rest();
    const closed = ownerMails.close();
    resolve();
    await closed;
    expect(lines).toEqual([]);
    await rest();
    expect(clock.timers).toBe(0);
    ownerMails.notify(notice);
    expect(lines).toMatchObject([{ code: "mail_not_sent" }]);
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

  it("include only one warning if a failing webhook is deleted and created again five times", async () => {
    const { clock, ownerMails, attempts, lines } = await createCase(async () => {});
    for (let round = 1; round <= 5; round++) {
      // Both spellings are the same endpoint.
      const targetUrl = round % 2 === 0 ? "https://example.com/hooks" : "https://EXAMPLE.com:443/hooks#top";
      ownerMails.notify(warningOf(round, { targetUrl }));
      await clock.advance(1_000);
      ownerMails.notify({ ...notice, webhookId: `wh_${round}`, targetUrl });
      await clock.advance(1_000);
    }
    expect(subjectsOf(attempts)).toEqual([warning, ...Array.from({ length: 5 }, () => disabled)]);
    expect(lines).toEqual(
      [2, 3, 4, 5].map((round) => ({
        code: "mail_held_back",
        fields: {
          account_id: "acc_1",
          webhook_id: `wh_${round}`,
          notice: "failing",
          reason: "already_warned",
        },
      })),
    );
    // Another event with the same URL is another webhook. After a day the same webhook causes a new warning.
    ownerMails.notify(warningOf(6, { targetUrl: notice.targetUrl, events: ["order.paid"] }));
    await clock.advance(24 * hour);
    ownerMails.notify(warningOf(7, { targetUrl: notice.targetUrl }));
    await clock.advance(1_000);
    expect(subjectsOf(attempts).slice(6)).toEqual([warning, warning]);
  });

  it("name the webhook that a 410 removed, within the same limit", async () => {
    const { clock, ownerMails, attempts } = await createCase(async () => {});
    for (let round = 1; round <= 12; round++) {
      const lastFailure = "The endpoint answered 410.";
      ownerMails.notify({ ...warningOf(round), type: "gone", consecutiveFailures: 1, lastFailure });
      await clock.advance(1_000);
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
    const { clock, ownerMails, attempts } = await createCase(async () => {}, { consoleUrl });
    ownerMails.notify(warningOf(1));
    ownerMails.notify({ ...warningOf(2), type: "gone" });
    for (let round = 3; round <= 11; round++) ownerMails.notify(warningOf(round));
    await clock.advance(1_000);
    const lastLines = attempts.map(({ mail }) => mail.text.split("\n").at(-1));
    expect(lastLines.slice(0, 2)).toEqual([`${consoleUrl}#/webhooks/wh_1`, `${consoleUrl}#/webhooks`]);
    // Those that wait for the storage at the same time have no order.
    expect(lastLines).toContain(`${consoleUrl}#/webhooks/wh_3`);
    expect([subjectsOf(attempts).at(-1), lastLines.at(-1)]).toEqual([summary, `${consoleUrl}#/webhooks`]);
  });

  it("are at most ten in 24 hours and one summary; the others are logged", async () => {
    const { clock, ownerMails, attempts, lines } = await createCase(async () => {});
    for (let round = 1; round <= 50; round++) {
      ownerMails.notify(warningOf(round));
      ownerMails.notify({ ...warningOf(round), type: "switched_off", consecutiveFailures: 30 });
      await clock.advance(60_000);
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
    const { clock, ownerMails, attempts } = await createCase(async () => {});
    for (let round = 1; round <= 500; round++) {
      ownerMails.notify(warningOf(round));
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
    const processes = await Promise.all([1, 2, 3].map(() => createCase(async () => {}, { store, clock })));
    for (let round = 1; round <= 40; round++)
      processes[round % 3]?.ownerMails.notify(warningOf(round, { type: "switched_off" }));
    await clock.advance(1_000);
    const later = await createCase(async () => {}, { store, clock });
    later.ownerMails.notify(warningOf(41));
    await clock.advance(1_000);
    const sent = [...processes, later].flatMap(({ attempts }) => subjectsOf(attempts));
    expect(sent.filter((subject) => subject === disabled)).toHaveLength(10);
    expect(sent.filter((subject) => subject === summary)).toHaveLength(1);
    expect(sent).toHaveLength(11);
  });

  it("do not count for another account", async () => {
    const { clock, ownerMails, attempts, setEmail } = await createCase(async () => {});
    await setEmail("another@example.com", "acc_2");
    for (let round = 1; round <= 20; round++) ownerMails.notify(warningOf(round));
    ownerMails.notify(warningOf(1, { accountId: "acc_2" }));
    await clock.advance(1_000);
    expect(attempts.at(-1)?.mail).toMatchObject({ to: "another@example.com", subject: warning });
  });

  it("are counted once even if they are retried", async () => {
    let isUnavailable = true;
    const { clock, ownerMails, attempts } = await createCase(() =>
      isUnavailable ? refuse() : Promise.resolve(),
    );
    for (let round = 1; round <= 10; round++) ownerMails.notify(warningOf(round));
    await clock.advance(1_000);
    isUnavailable = false;
    await clock.advance(hour);
    expect(subjectsOf(attempts.filter(({ at }) => at > 0))).toEqual(
      Array.from({ length: 10 }, () => warning),
    );
  });

  it("are sent and logged if they cannot be counted", async () => {
    const memory = memoryStore();
    const isCount = ({ mutations }: Commit) => mutations.some(({ key }) => key[1] === "mail-count");
    const store: Store = {
      ...memory,
      commit: (partition, commit) =>
        isCount(commit)
          ? Promise.reject(new StorageError("unavailable", "the disk is full"))
          : memory.commit(partition, commit),
    };
    const { clock, ownerMails, attempts, lines } = await createCase(async () => {}, { store });
    for (let round = 1; round <= 12; round++) ownerMails.notify(warningOf(round));
    await clock.advance(1_000);
    expect(subjectsOf(attempts)).toEqual(Array.from({ length: 12 }, () => warning));
    expect(new Set(lines.map(({ code }) => code))).toEqual(new Set(["mail_not_counted"]));
    expect(lines).toHaveLength(12);
  });

  it("leave one row, which expires a day after the last mail", async () => {
    const clock = createFakeClock();
    const store = memoryStore({ now: clock.now });
    const { ownerMails } = await createCase(async () => {}, { clock, store });
    for (let round = 1; round <= 100; round++) ownerMails.notify(warningOf(round));
    await clock.advance(1_000);
    const rows = await store.list({ prefix: [partitionOf("acc_1"), "mail-count"], limit: 10 });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.value.length).toBeLessThan(1_000);
    await clock.advance(24 * hour);
    expect(await store.list({ prefix: [partitionOf("acc_1"), "mail-count"], limit: 10 })).toEqual([]);
  });
});
