import { hostname } from "node:os";
import { hostScopes } from "@hookwright/domain";
import type { HostToken, Hookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { isPlainToken } from "../options/parse-tokens.ts";
import type { Settings } from "../options/read-settings.ts";
import type { WriteServerLogLine } from "../server-log-lines.ts";
import type { Program } from "@hookwright/cli";
import { describeStorage } from "../storage-location.ts";
import { claimStorage } from "./claim-storage.ts";
import { createDemoOrder } from "./demo-order.ts";
import { demoNames } from "./demo-names.ts";
import { randomToken } from "./random-text.ts";
import { startReceiver } from "./receiver.ts";
import type { Receipt, Receiver } from "./receiver.ts";
import { renderDemo, renderReceipt } from "./render-demo.ts";
import { seedAccount, seedNewAccount } from "./seed-account.ts";
import { startTraffic } from "./traffic.ts";
import { writeHistory } from "./write-history.ts";
import type { HistoryOptions } from "./write-history.ts";
import type { Traffic } from "./traffic.ts";
import { toTrialCommands } from "./trial-commands.ts";

export interface Demo {
  /** The only private origin that deliveries may use. */
  readonly receiverOrigin: string;
  /** The operator's host token, or a token of this run. */
  readonly hostToken: readonly HostToken[];
  /**
   * Creates the account, sends it one delivery and prints the result. Never rejects, because the server must continue.
   */
  show(server: { readonly hookwright: Hookwright; readonly url: string }): Promise<void>;
  /** Publishes no more orders. Resolves when none is being published. */
  stopTraffic(): Promise<void>;
  /** Releases the claim while the store is open, so that the next demo need not wait. */
  close(): Promise<void>;
}

export interface PrepareDemoOptions {
  readonly settings: Pick<Settings, "hostToken" | "storage" | "demoTraffic">;
  readonly program: Pick<Program, "log" | "processId">;
  readonly store: Store;
  readonly secrets: HistoryOptions["secrets"];
  readonly colours: boolean;
  readonly log: WriteServerLogLine;
}

const deliveryTimeoutMs = 10_000;

/**
 * Starts the demo's receiver, so that the server can trust exactly this origin, claims the storage, and gives a new demo account
 * a day of history.
 *
 * @throws {ServerError} `storage_in_use` if another demo uses the storage
 */
export async function prepareDemo(options: PrepareDemoOptions): Promise<Demo> {
  const { settings, program, store, secrets, colours, log } = options;
  const receiver = await startReceiver({ now: () => performance.now() });
  const claim = await claimStorage({
    store,
    storage: describeStorage(settings.storage),
    claimant: {
      id: receiver.id,
      receiverUrl: receiver.targetUrl,
      host: hostname(),
      processId: program.processId,
    },
    now: Date.now,
    log,
  }).catch(async (error: unknown) => {
    await receiver.close();
    throw error;
  });
  // The demo works without a past.
  await writeHistory({ store, secrets, receiver, now: Date.now }).catch((error: unknown) =>
    log("demo_history_not_written", { error }),
  );
  const ownToken = randomToken();
  const hostToken = settings.hostToken ?? [{ name: "default", scopes: hostScopes, token: ownToken }];
  const isInEnvironment = settings.hostToken !== undefined && isPlainToken(settings.hostToken);

  let traffic: Promise<Traffic> | undefined;
  let isStopped = false;

  async function showDelivery(hookwright: Hookwright, url: string): Promise<void> {
    await claim.announce(url);
    const [account, newAccount] = await Promise.all([
      seedAccount(hookwright, receiver.origin),
      seedNewAccount(hookwright, receiver.origin),
    ]);
    const { receipt, elapsedMs } = await sendOne(hookwright, receiver);
    const commands = toTrialCommands({
      url,
      apiKey: account.apiKey,
      hostToken: settings.hostToken === undefined ? ownToken : undefined,
      hostTokenVariable: isInEnvironment ? "HOOKWRIGHT_HOST_TOKEN" : "HOST_TOKEN",
      now: Date.now(),
    });
    const { any: testUrl } = receiver.targets;
    const hasTraffic = settings.demoTraffic;
    program.log(
      renderDemo({ url, account, newAccount, receipt, elapsedMs, commands, testUrl, hasTraffic, colours }),
    );
    receiver.onReceipt((later) => {
      if (!later.isTraffic) program.log(renderReceipt(later));
    });
    if (!hasTraffic || isStopped) return;
    traffic = startTraffic({ hookwright, targets: receiver.targets, log, now: Date.now });
    await traffic.catch((error: unknown) => log("demo_traffic_failed", { error }));
  }

  async function stopTraffic(): Promise<void> {
    isStopped = true;
    // An error of the start was logged.
    await traffic?.then((started) => started.stop()).catch(() => {});
  }

  return {
    receiverOrigin: receiver.origin,
    hostToken,
    show: ({ hookwright, url }) =>
      showDelivery(hookwright, url).catch((error: unknown) => {
        log("demo_not_shown", { error });
      }),
    stopTraffic,
    close: () => claim.release().finally(() => receiver.close()),
  };
}

/** Subscribes the receiver as the console would, publishes one new order, and waits for its delivery. */
async function sendOne(
  { webhooks, publish }: Pick<Hookwright, "webhooks" | "publish">,
  receiver: Receiver,
): Promise<{ readonly receipt: Receipt | undefined; readonly elapsedMs: number }> {
  const { accountId, projectId } = demoNames;
  const { webhook } = await webhooks.create(
    { accountId, credential: { type: "console" } },
    { event: "order.created", target_url: receiver.targetUrl },
  );
  if (webhook.signing_secret !== undefined) receiver.expect(webhook.signing_secret);
  const received = nextReceipt(receiver);
  const now = Date.now();
  const number = `D-${now.toString(36).toUpperCase()}`;
  const startedAt = performance.now();
  await publish({
    event: "order.created",
    project_id: projectId,
    data: createDemoOrder({ id: `ord_demo_${now.toString(36)}`, number, createdAt: now }),
  });
  const receipt = await received;
  return { receipt, elapsedMs: (receipt?.at ?? startedAt) - startedAt };
}

function nextReceipt(receiver: Receiver): Promise<Receipt | undefined> {
  return new Promise((resolve) => {
    const finish = (receipt: Receipt | undefined): void => {
      clearTimeout(patience);
      removeListener();
      resolve(receipt);
    };
    const patience = setTimeout(finish, deliveryTimeoutMs, undefined);
    const removeListener = receiver.onReceipt(finish);
  });
}
