import { sampleDeliveryBody } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createHookwright } from "../../src/create-hookwright.ts";
import type { Hookwright } from "../../src/create-hookwright.ts";
import type { HookwrightOptions } from "../../src/options/options.ts";
import { listenLocally } from "./listen-locally.ts";
import type { Received } from "./open-receiver.ts";
import { openSession } from "./open-session.ts";

export interface Answered {
  readonly status: number;
  readonly code: string | undefined;
  /** Of an error. */
  readonly message: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null };
}

export interface CreatedWebhook {
  readonly id: string;
  /** Of its routes in the console API. */
  readonly path: string;
  readonly secret: string;
}

export interface World extends AsyncDisposable {
  readonly hookwright: Hookwright;
  readonly origin: string;
  /** The received deliveries, in order. */
  readonly received: readonly Received[];
  /** Sets the status of the receiver's responses. @default 204 */
  answerWith(status: number | "nothing"): void;
  /** Calls a route such as `"POST /console/api/…"` with the console token of `acc_1`. */
  ask(target: string, json?: unknown): Promise<Answered>;
  /** Creates a webhook of reviews for a path of the receiver. */
  createWebhook(path?: string, more?: Readonly<Record<string, unknown>>): Promise<CreatedWebhook>;
  /** The status of a delivery in the log. */
  statusOf(deliveryId: string | undefined): Promise<unknown>;
  /** Publishes a review of `site_1`. Returns the ids of its deliveries. */
  publish(recordId: string, projectId?: string): Promise<readonly string[]>;
  /** Waits until the first attempts of the latest publication are durable. */
  settled(): Promise<void>;
}

/**
 * An account `acc_1` with two sites and a console session, and a receiver on this machine.
 *
 * @param password of the account, for a session of its owner. @default none, for a session by a link
 */
export async function openConsole(
  options: Partial<HookwrightOptions> = {},
  password?: string,
): Promise<World> {
  const received: Received[] = [];
  let status: number | "nothing" = 204;
  let expectedTurns = 0;
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    if (status !== "nothing") response.writeHead(status).end();
  });
  const receiver = await listenLocally(server);
  const { origin } = receiver;
  const hookwright = await createHookwright({
    store: memoryStore(),
    secret: "s".repeat(32),
    privateTargets: true,
    retryDelaysSeconds: [0.05, 3_600],
    consoleRateLimitPerMinute: 1_000_000,
    sendsPerMinute: 1_000_000,
    ...options,
  });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com", password });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop", timezone: "Europe/London" });
  await hookwright.projects.put("site_2", { account_id: "acc_1", name: "Blog" });
  const token =
    password === undefined
      ? await openSession(hookwright)
      : (await hookwright.sessions.create({ email: "owner@example.com", password })).token;
  async function ask(target: string, json?: unknown): Promise<Answered> {
    const [method = "GET", path = "/"] = target.split(" ", 2);
    const response = await hookwright.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(json === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    );
    const { data, meta, error } = JSON.parse(await response.text());
    return {
      status: response.status,
      code: error?.code,
      message: error?.message,
      data: data ?? {},
      rows: Array.isArray(data) ? data : [],
      meta,
    };
  }

  return {
    hookwright,
    origin,
    received,
    answerWith: (next) => void (status = next),
    ask,
    async createWebhook(path = "/hooks", more = {}) {
      const input = { event: "review.submitted", target_url: new URL(path, origin).href, ...more };
      const { data } = await ask("POST /console/api/webhooks", input);
      const id = String(data["id"]);
      return { id, path: `/console/api/webhooks/${id}`, secret: String(data["signing_secret"]) };
    },
    statusOf: async (id) => (await ask(`GET /console/api/deliveries/${id}`)).data["status"],
    async publish(recordId, projectId = "site_1") {
      const before = hookwright.scheduler.stats.recorded;
      const { deliveries } = await hookwright.publish({
        event: "review.submitted",
        project_id: projectId,
        data: { ...sampleDeliveryBody("review.submitted").data, id: recordId },
      });
      expectedTurns = before + deliveries.length;
      return deliveries;
    },
    async settled() {
      const { scheduler } = hookwright;
      while (scheduler.stats.recorded < expectedTurns) await new Promise((resolve) => setImmediate(resolve));
    },
    async [Symbol.asyncDispose]() {
      await hookwright.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
