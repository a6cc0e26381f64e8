import { sampleDeliveryBody } from "@hookwright/domain";
import type { Session } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { createHookwright } from "../../src/create-hookwright.ts";
import type { Hookwright } from "../../src/create-hookwright.ts";
import type { HookwrightOptions } from "../../src/options/options.ts";
import { listenLocally } from "./listen-locally.ts";
import type { Received } from "./open-receiver.ts";
import { openLinkedSession } from "./open-session.ts";

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
  /** The id of the account. */
  readonly account: string;
  readonly email: string;
  /** The id of the site "Shop". */
  readonly site: string;
  /** A session of the console. */
  readonly session: Session;
  readonly origin: string;
  /** The received deliveries, in order. */
  readonly received: readonly Received[];
  /** Sets the status of the receiver's responses. `nothing` holds them until the next status. @default 204 */
  answerWith(status: number | "nothing"): void;
  /** Calls a route such as `"POST /console/api/…"` with the session. */
  ask(target: string, json?: unknown): Promise<Answered>;
  /** Creates a webhook of reviews for a path of the receiver. */
  createWebhook(path?: string, more?: Readonly<Record<string, unknown>>): Promise<CreatedWebhook>;
  /** The status of a delivery in the log. */
  statusOf(deliveryId: string | undefined): Promise<unknown>;
  /** Publishes a review of the shop. Returns the ids of its deliveries. */
  publish(recordId: string, projectId?: string): Promise<readonly string[]>;
  /** Waits until the first attempts of all publications are durable. */
  settled(): Promise<void>;
}

/** An account `acc_1` with its world, in a Hookwright of its own. */
export async function openConsole(
  options: Partial<HookwrightOptions> = {},
  password?: string,
): Promise<World> {
  const hookwright = await openHookwright(options);
  const world = await openWorld(hookwright, { password });
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      await hookwright.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** A Hookwright in memory whose limits are no limits for tests. */
export function openHookwright(options: Partial<HookwrightOptions> = {}): Promise<Hookwright> {
  return createHookwright({
    store: memoryStore(),
    secret: "s".repeat(32),
    privateTargets: true,
    retryDelaysSeconds: [0.05, 3_600],
    consoleRateLimitPerMinute: 1_000_000,
    sendsPerMinute: 1_000_000,
    ...options,
  });
}

export interface WorldOptions {
  /** The end of all ids, for another account of the same Hookwright. @default "" */
  readonly suffix?: string;
  /** For a session of the owner. @default none, for a session by a link */
  readonly password?: string | undefined;
}

/** An account with two sites and a console session, and a receiver on this machine. */
export async function openWorld(
  hookwright: Hookwright,
  { suffix = "", password }: WorldOptions = {},
): Promise<World> {
  const received: Received[] = [];
  const held: ServerResponse[] = [];
  const published: string[] = [];
  let status: number | "nothing" = 204;
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    if (status === "nothing") held.push(response);
    else response.writeHead(status).end();
  });
  const receiver = await listenLocally(server);
  const { origin } = receiver;
  const [account, site, email] = [`acc_1${suffix}`, `site_1${suffix}`, `owner${suffix}@example.com`];
  await hookwright.accounts.put(account, { email, password });
  await hookwright.projects.put(site, { account_id: account, name: "Shop", timezone: "Europe/London" });
  await hookwright.projects.put(`site_2${suffix}`, { account_id: account, name: "Blog" });
  const session =
    password === undefined
      ? await openLinkedSession(hookwright, account)
      : await hookwright.sessions.create({ email, password });
  async function ask(target: string, json?: unknown): Promise<Answered> {
    const [method = "GET", path = "/"] = target.split(" ", 2);
    const response = await hookwright.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          authorization: `Bearer ${session.token}`,
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
    account,
    email,
    site,
    session,
    origin,
    received,
    answerWith(next) {
      status = next;
      if (next !== "nothing") for (const response of held.splice(0)) response.writeHead(next).end();
    },
    ask,
    async createWebhook(path = "/hooks", more = {}) {
      const input = { event: "review.submitted", target_url: new URL(path, origin).href, ...more };
      const { data } = await ask("POST /console/api/webhooks", input);
      const id = String(data["id"]);
      return { id, path: `/console/api/webhooks/${id}`, secret: String(data["signing_secret"]) };
    },
    statusOf: async (id) => (await ask(`GET /console/api/deliveries/${id}`)).data["status"],
    async publish(recordId, projectId = site) {
      const { deliveries } = await hookwright.publish({
        event: "review.submitted",
        project_id: projectId,
        data: { ...sampleDeliveryBody("review.submitted").data, id: recordId },
      });
      published.push(...deliveries);
      return deliveries;
    },
    async settled() {
      for (const id of published.splice(0)) {
        const isWaiting = async (): Promise<boolean> => {
          const { status: reached, attempts } = await hookwright.deliveries.get(account, id);
          return reached === "pending" && attempts.length === 0;
        };
        while (await isWaiting()) await new Promise((resolve) => setImmediate(resolve));
      }
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}
