import { partitionOf } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import type { WebhookNotice } from "@hookwright/delivery";
import { toErrorFields } from "@hookwright/domain";
import type { LogFields } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { createOwnerMails } from "../src/notices/owner-mails.ts";
import type { Mail } from "../src/notices/mailer.ts";
import { createFakeClock, rest } from "./support/fake-clock.ts";

const notice: WebhookNotice = {
  type: "switched_off",
  accountId: "acc_1",
  webhookId: "wh_1",
  targetUrl: "https://example.com/hooks",
  consecutiveFailures: 30,
  lastFailure: "The endpoint answered 500.",
};

interface Line {
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function toLogged({ error, ...ids }: LogFields): Line["fields"] {
  return { ...ids, error: toErrorFields(error).error };
}

/** Mails to one account, over a mailer that does as it is told. */
async function createCase(send: (mail: Mail) => Promise<void>) {
  const clock = createFakeClock();
  const store = memoryStore();
  const tries: { mail: Mail; at: number }[] = [];
  const lines: Line[] = [];
  const start = clock.now();

  async function setEmail(email: string): Promise<void> {
    const key = [partitionOf("acc_1"), "account", "acc_1"] as const;
    await store.commit(key[0], { mutations: [{ type: "set", key, value: JSON.stringify({ email }) }] });
  }

  await setEmail("owner@example.com");
  const ownerMails = createOwnerMails({
    store,
    clock,
    mailer: {
      async send(mail) {
        tries.push({ mail, at: (clock.now() - start) / 1_000 });
        await send(mail);
      },
    },
    log: (code, fields = {}) => void lines.push({ code, fields: toLogged(fields) }),
  });
  return { clock, ownerMails, tries, lines, setEmail };
}

const refuse = async (): Promise<void> => {
  throw new Error("421 come back later");
};
const hang = (): Promise<void> => new Promise(() => {});

describe("a mail to an owner", () => {
  it("is sent once where all is well, and nothing is said about it", async () => {
    const { clock, ownerMails, tries, lines } = await createCase(async () => {});
    ownerMails.notify(notice);
    await clock.advance(3_600_000);
    expect(tries).toMatchObject([{ mail: { to: "owner@example.com" }, at: 0 }]);
    expect(lines).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it("is tried again after growing pauses, then given up, and each is told", async () => {
    const { clock, ownerMails, tries, lines } = await createCase(refuse);
    ownerMails.notify(notice);
    await clock.advance(3_600_000);
    expect(tries.map(({ at }) => at)).toEqual([0, 5, 65, 665]);
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

  it("arrives once the mail server is back, at the address that the account has by then", async () => {
    let isAway = true;
    const { clock, ownerMails, tries, setEmail } = await createCase(() =>
      isAway ? refuse() : Promise.resolve(),
    );
    ownerMails.notify(notice);
    await clock.advance(1_000);
    isAway = false;
    await setEmail("new-owner@example.com");
    await clock.advance(3_600_000);
    expect(tries.map(({ mail, at }) => [mail.to, at])).toEqual([
      ["owner@example.com", 0],
      ["new-owner@example.com", 5],
    ]);
  });

  it("that a mailer never answers counts as failed after a minute", async () => {
    const { clock, ownerMails, tries } = await createCase(hang);
    ownerMails.notify(notice);
    await clock.advance(3_600_000);
    expect(tries.map(({ at }) => at)).toEqual([0, 65, 185, 845]);
  });

  it("does not wait for more than seven others that hang; of more than a thousand the last are given up at once", async () => {
    const { clock, ownerMails, tries, lines } = await createCase(hang);
    for (let count = 0; count < 1_005; count++) ownerMails.notify(notice);
    await clock.advance(1_000);
    expect(tries.length).toBe(8);
    expect(lines.map(({ code, fields }) => [code, fields["error"]])).toEqual(
      Array.from({ length: 5 }, () => ["mail_not_sent", "1000 mails wait already"]),
    );
    await clock.advance(60_000);
    expect(tries.length).toBe(16);
  });
});

describe("closing", () => {
  it("ends the pauses and says which mails were not sent", async () => {
    const { clock, ownerMails, tries, lines } = await createCase(refuse);
    ownerMails.notify(notice);
    await clock.advance(1_000);
    await ownerMails.close();
    expect(lines.at(-1)).toMatchObject({
      code: "mail_not_sent",
      fields: { webhook_id: "wh_1", tries: 1, error: "421 come back later" },
    });
    expect(clock.timers).toBe(0);
    await clock.advance(3_600_000);
    expect(tries.length).toBe(1);
  });

  it("waits a second for what is under way, and no longer", async () => {
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

  it("lets a mail under way arrive", async () => {
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
    // What comes after is told, and not begun.
    ownerMails.notify(notice);
    expect(lines).toMatchObject([{ code: "mail_not_sent" }]);
  });
});
