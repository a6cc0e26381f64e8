import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { sampleDeliveryBody } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright, validateEvent } from "hookwright";
import type { Hookwright } from "hookwright";

export const owner = { email: "owner@example.com", password: "correct horse battery" };

interface Receiver {
  readonly event: EventName;
  readonly path: string;
  /** What it answers to its `n`-th request, when the last hours of the period have `begun` or not. */
  readonly statusOf: (n: number, begun: boolean) => number;
}

const reason = "TypeError: Cannot read properties of undefined (reading 'vat_id')";

/** One broke some hours ago, and two fail now and then. */
const receivers: readonly Receiver[] = [
  { event: "order.created", path: "/shop/orders", statusOf: () => 200 },
  { event: "order.created", path: "/erp/orders", statusOf: (_, begun) => (begun ? 500 : 200) },
  { event: "order.paid", path: "/accounting/paid", statusOf: () => 204 },
  { event: "booking.created", path: "/calendar/bookings", statusOf: () => 204 },
  { event: "review.submitted", path: "/reviews", statusOf: (n) => (n % 9 === 0 ? 422 : 204) },
  { event: "subscriber.created", path: "/newsletter", statusOf: (n) => (n % 12 === 0 ? 429 : 202) },
];

const stepMs = 15 * 60_000;
const dayMs = 24 * 3_600_000;
/** The broken receivers broke this long ago. */
const brokenMs = 9 * 3_600_000;

export interface SeededAccount extends AsyncDisposable {
  readonly hookwright: Hookwright;
  readonly receiverOrigin: string;
  /** From now on all receivers work. */
  repair(): void;
}

/** An account with a day of deliveries: what it looks like when one of six webhooks is down. */
export async function openSeededAccount(): Promise<SeededAccount> {
  // All deliveries are in the 24 h of the console, whenever they are made: the period before is empty.
  let ago = dayMs - stepMs;
  let isRepaired = false;
  const receiver = await openReceiver(() => ago < brokenMs && !isRepaired);
  Math.random = () => 0.5;
  const store = memoryStore();
  const open = (): Promise<Hookwright> => {
    const behind = ago;
    return createHookwright({
      store,
      secret: "a secret for the screenshots only",
      privateTargets: true,
      now: () => Date.now() - behind,
      // Each retry is due in the next step: there is no jitter and no back-off.
      retryDelaysSeconds: [stepMs / 1_000, stepMs / 1_000],
      endpointBackoffSeconds: 0,
    });
  };
  const keys = await createAccountWithKeys();
  async function createAccountWithKeys(): Promise<ApiKeys> {
    await using hookwright = await open();
    await createAccount(hookwright, receiver.origin);
    return createKeys(hookwright);
  }
  // A running worker does not expect its clock to jump, so each quarter of an hour has its own.
  for (let step = 1; ago > 0; step += 1) {
    await using hookwright = await open();
    for (const event of eventsOf(step)) await publish(hookwright, event, step);
    await useKeys(hookwright, keys, step);
    await settle(hookwright);
    ago -= stepMs;
  }
  const hookwright = await open();
  await useKeys(hookwright, keys, 1);
  for (const event of eventsOf(1)) await publish(hookwright, event, 1);
  await settle(hookwright);
  return {
    hookwright,
    receiverOrigin: receiver.origin,
    repair() {
      isRepaired = true;
    },
    [Symbol.asyncDispose]: async () => {
      await hookwright.close();
      receiver.close();
    },
  };
}

/** @param isBroken whether the receivers that break have broken */
async function openReceiver(
  isBroken: () => boolean,
): Promise<{ readonly origin: string; readonly close: () => void }> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    request.resume();
    const path = request.url ?? "";
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const status = receivers.find((each) => each.path === path)?.statusOf(count, isBroken()) ?? 404;
    // A fixed response time for each receiver, so that the charts look the same in each run.
    const waitMs = 4 + ((path.length * 7) % 40);
    setTimeout(
      () => response.writeHead(status).end(status < 300 ? "ok" : status === 500 ? reason : `error ${status}`),
      waitMs,
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    close: () => void server.close(),
  };
}

async function createAccount(hookwright: Hookwright, receiverOrigin: string): Promise<void> {
  await hookwright.accounts.put("acc_bakery", { name: "Bakery", ...owner });
  for (const [id, name] of [
    ["site_shop", "Bakery shop"],
    ["site_cafe", "Café"],
  ] as const)
    await hookwright.projects.put(id, { account_id: "acc_bakery", name, timezone: "Europe/Berlin" });
  const caller = { accountId: "acc_bakery", credential: { type: "console" } } as const;
  for (const { event, path } of receivers)
    await hookwright.webhooks.create(caller, { event, target_url: receiverOrigin + path });
}

/** Waits until the attempts that are due have been made. */
async function settle({ scheduler }: Hookwright): Promise<void> {
  let before = -1;
  while (before !== scheduler.stats.recorded) {
    before = scheduler.stats.recorded;
    await delay(60);
  }
}

const rarer: readonly EventName[] = ["booking.created", "review.submitted", "subscriber.created"];

/** More orders in the middle of the day. */
function eventsOf(step: number): readonly EventName[] {
  const orders = 1 + Math.round(2 * Math.sin((Math.PI * step) / 96) ** 2);
  return [
    ...Array.from({ length: orders }, () => "order.created" as const),
    ...(step % 2 === 0 ? ["order.paid" as const] : []),
    ...(rarer[step % 4] === undefined ? [] : [rarer[step % 4] as EventName]),
  ];
}

let published = 0;

async function publish(hookwright: Hookwright, event: EventName, step: number): Promise<void> {
  published += 1;
  const id = `${event.split(".", 1)[0]}_${1_000 + published}`;
  const { event: _, ...sample } = sampleDeliveryBody(event);
  const project_id = step % 5 === 0 ? "site_cafe" : "site_shop";
  const { input } = validateEvent({ event, project_id, data: { ...sample.data, id } });
  await hookwright.publish(input);
}

const requests: readonly (readonly [keyName: string, path: string])[] = [
  ["Zapier", "/v1/orders?limit=100"],
  ["Zapier", "/v1/webhooks"],
  ["Accounting", "/v1/orders?email=ada%40example.com"],
  ["Zapier", "/v1/projects"],
  ["Accounting", "/v1/orders?limit=500"],
  ["Zapier", "/v1/me"],
  ["Accounting", "/v1/contacts?email=ada%40example.com"],
  ["Zapier", "/v1/event-types"],
  ["Accounting", "/v1/orders?limit=100"],
  ["Zapier", "/v1/event-types/order.created/samples"],
  ["Accounting", "/v1/contacts/ct_unknown"],
  ["Accounting", "/v1/orders?limit=50"],
  ["Zapier", "/v1/orders?limit=10"],
];

async function createKeys(hookwright: Hookwright): Promise<ApiKeys> {
  const keys = new Map<string, string>();
  for (const name of ["Zapier", "Accounting"])
    keys.set(name, (await hookwright.apiKeys.create("acc_bakery", { name })).api_key);
  return keys;
}

/** The secrets of the API keys by their names. */
type ApiKeys = ReadonlyMap<string, string>;

/** More requests in the middle of the day. Some are refused. */
async function useKeys(hookwright: Hookwright, keys: ApiKeys, step: number): Promise<void> {
  const count = 2 + Math.round(9 * Math.sin((Math.PI * step) / 96) ** 2) + (step % 3);
  for (let request = 0; request < count; request += 1) {
    const [name, path] = requests[(step * 5 + request) % requests.length] ?? ["Zapier", "/v1/me"];
    const headers = { authorization: `Bearer ${keys.get(name)}` };
    await hookwright.fetch(new Request(`http://localhost${path}`, { headers }));
  }
}
