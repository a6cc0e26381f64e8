import type { WebhookNotice } from "@hookwright/delivery";
import { createIdSource, toErrorFields } from "@hookwright/domain";
import type { LogFields } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { randomBytes } from "node:crypto";
import { createNoticeRunner } from "../../src/notices/notice-runner.ts";
import type { NoticeRunnerOptions } from "../../src/notices/notice-runner.ts";
import type { Mail } from "../../src/notices/notice-mail.ts";
import { toWebhookNotice } from "../../src/rows/notice-row.ts";
import { createServerKeys } from "../../src/secrets/server-keys.ts";
import type { FakeClock } from "../../../delivery/test/support/fake-clock.ts";
import { createFakeClock, rest } from "./fake-clock.ts";

export const notice: WebhookNotice = {
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

interface CaseOptions extends Partial<Pick<NoticeRunnerOptions, "consoleUrl" | "onNotice" | "togetherMs">> {
  readonly store?: Store;
  readonly clock?: FakeClock;
  /** The partitions that the worker of the process leases. */
  readonly held?: readonly string[];
  /** Whether it may start something there. @default always */
  readonly isOpen?: () => boolean;
}

const allHeld = [1, 2].map((number) => partitionOf(`acc_${number}`));

/** Notices of one account, with a mailer that calls `send`. */
export async function createCase(
  send: (mail: Mail) => Promise<void>,
  {
    clock = createFakeClock(() => rest(40)),
    store = memoryStore({ now: clock.now }),
    held = allHeld,
    isOpen = () => true,
    ...options
  }: CaseOptions = {},
) {
  const attempts: { mail: Mail; at: number }[] = [];
  const lines: Line[] = [];
  const start = clock.now();
  const newId = createIdSource({ now: clock.now, randomBytes });

  async function setEmail(email: string, accountId = "acc_1"): Promise<void> {
    const key = [partitionOf(accountId), "account", accountId] as const;
    await store.commit(key[0], { mutations: [{ type: "set", key, value: JSON.stringify({ email }) }] });
  }

  await setEmail("owner@example.com");
  const runner = createNoticeRunner({
    store,
    clock,
    now: clock.now,
    newId,
    worker: {
      heldPartitions: () => held,
      delivers: () => false,
      offer: () => {},
      fence: (accountId) =>
        isOpen() && held.includes(partitionOf(accountId))
          ? { key: [partitionOf(accountId), "lease"], value: undefined }
          : undefined,
    },
    serverKeys: createServerKeys({ store, secret: "a test secret of 32 characters!!" }),
    mailer: {
      async send(mail) {
        attempts.push({ mail, at: (clock.now() - start) / 1_000 });
        await send(mail);
      },
    },
    intervalMs: 3_600_000,
    togetherMs: 1,
    log: (code, fields = {}) => void lines.push({ code, fields: toLogged(fields) }),
    onError: (error, fields) => void lines.push({ code: fields.code, fields: toLogged({ error }) }),
    ...options,
  });
  runner.start();

  /** Commits a notice, as the recorder of an attempt does. */
  async function notify(happened: WebhookNotice): Promise<void> {
    const mutations = [toWebhookNotice({ now: clock.now, newId }, happened)];
    await store.commit(partitionOf(happened.accountId), { mutations });
    runner.wake(happened.accountId);
    await rest(20);
  }

  const rows = () => store.list({ prefix: [partitionOf("acc_1"), "notice"], limit: 1_000 });
  return { clock, store, runner, notify, rows, attempts, lines, setEmail };
}

export const refuse = async (): Promise<void> => {
  throw new Error("421 come back later");
};
export const hang = (): Promise<void> => new Promise(() => {});
