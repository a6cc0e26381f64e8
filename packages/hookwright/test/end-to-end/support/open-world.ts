import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifySync } from "@hookwright/signature/node";
import { expect } from "vitest";
import type { Store } from "@hookwright/storage";
import { createHookwright } from "../../../src/create-hookwright.ts";
import type { Hookwright } from "../../../src/create-hookwright.ts";
import type { HookwrightOptions } from "../../../src/options/options.ts";
import { listenLocally } from "../../support/listen-locally.ts";
import { checkerFor } from "./response-checker.ts";
import type { ResponseChecker } from "./response-checker.ts";
import type { SiteOrder } from "../../../src/index.ts";
import type { HostDatabase } from "./host-database.ts";
import type { OpenedStorage, StorageUnderTest } from "./storages.ts";

export const hostToken = "the host's token";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: Resource;
  /** `data` of a list. */
  readonly rows: readonly Resource[];
  readonly meta: { readonly has_more: boolean; readonly next_cursor: string | null };
  /** `code` and `message` of an error. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** Some fields of responses. The OpenAPI document says which response has which. */
export interface Resource {
  readonly id: string;
  readonly created_at: string;
  readonly signing_secret: string;
  readonly standard_signing_secret: string;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly deliveries: readonly string[];
}

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Ask {
  /** @default the key of `acc_1`; null sends none */
  readonly token?: string | null;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface World extends AsyncDisposable, Pick<OpenedStorage, "readDirectly" | "addRejected"> {
  readonly hookwright: Hookwright;
  readonly store: Store;
  /** Where the API is served. */
  readonly origin: string;
  /** The key of the account `acc_1`, which has the sites `site_1` and `site_2`. */
  readonly key: string;
  readonly receiver: {
    readonly origin: string;
    readonly received: readonly Received[];
    answerWith(status: number): void;
    /**
     * Delays the responses of the receiver until it is released, so that changes can happen before the next attempt.
     */
    hold(): () => void;
  };
  /** Advances the clock by this number of milliseconds. */
  advance(ms: number): void;
  /**
   * Sends a request such as `ask("GET /v1/me")`. Every response under `/v1` and `/host/v1` is checked against the served
   * OpenAPI document.
   */
  ask(target: string, options?: Ask): Promise<Answered>;
  host(target: string, json?: unknown): Promise<Answered>;
  /** Publishes one event as the host. @param site @default "site_1" */
  publishEvent(event: string, data: unknown, site?: string, more?: object): Promise<Answered>;
  /** The status of a delivery of `acc_1`. */
  statusOf(deliveryId: string): Promise<string>;
  /** Creates a webhook of `acc_1` for the receiver. Returns its id and secret. */
  subscribe(event: string, path?: string): Promise<{ readonly id: string; readonly secret: string }>;
  /** Waits until this many deliveries have arrived at a path. Each is verified. */
  deliveries(count: number, secret: string): Promise<readonly Received[]>;
}

interface Check {
  readonly prefix: string;
  readonly check: ResponseChecker;
}

/** Of all worlds with the same documents, because a document takes as long as many requests. */
let usualChecks: Promise<readonly Check[]> | undefined;

/** The whole system over one storage, with real HTTP on both sides. */
export async function openWorld(
  storage: StorageUnderTest,
  options: Partial<HookwrightOptions> = {},
): Promise<World> {
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const { store, database, readDirectly, addRejected, close } = await storage.open(now);
  const { contacts, orders, blogPosts } = database ?? {};
  const hookwright = await createHookwright({
    store,
    secret: "a secret of thirty-two characters",
    hostToken,
    privateTargets: true,
    retryDelaysSeconds: [0.05, 0.05, 3_600],
    now,
    contacts,
    orders,
    blogPosts,
    ...options,
  });
  const server = await listenLocally(createServer(hookwright.handler));
  const received: Received[] = [];
  let status = 204;
  let held: Promise<void> = Promise.resolve();
  const receiver = await listenLocally(
    createServer(async (request, response) => {
      received.push({ headers: request.headers, body: String(await buffer(request)) });
      await held;
      response.writeHead(status).end();
    }),
  );

  async function send(target: string, { token, json, body, headers = {} }: Ask): Promise<Answered> {
    const [method = "GET", path = "/"] = target.split(" ", 2);
    const response = await fetch(server.origin + path, {
      method,
      headers: {
        ...(token === null || token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    const isJson = response.headers.get("content-type") === "application/json";
    const envelope = isJson && method !== "HEAD" && text !== "" ? JSON.parse(text) : {};
    const [pathname = ""] = path.split("?");
    const check = checks.find(({ prefix }) => pathname.startsWith(prefix))?.check;
    if (isJson && method !== "OPTIONS" && method !== "HEAD")
      check?.({ method, path: pathname, status: response.status, body: envelope });
    const { data, meta, error } = envelope;
    const rows = Array.isArray(data) ? data : [];
    return { status: response.status, headers: response.headers, text, data, rows, meta, error };
  }

  async function readChecks(): Promise<readonly Check[]> {
    const read: Check[] = [];
    for (const prefix of ["/v1/", "/host/v1/"]) {
      const { status: found, text } = await send(`GET ${prefix}openapi.json`, { token: hostToken });
      if (found === 200) read.push({ prefix, check: checkerFor(text) });
    }
    return read;
  }

  let checks: readonly Check[] = [];
  const hasOwnDocuments = options.events !== undefined || options.hostToken !== undefined;
  checks = await (hasOwnDocuments ? readChecks() : (usualChecks ??= readChecks()));
  await hookwright.accounts.put("acc_1", {
    name: "One",
    email: "one@example.com",
    timezone: "Europe/London",
  });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop", timezone: "Europe/London" });
  await hookwright.projects.put("site_2", { account_id: "acc_1", name: "Blog", timezone: "Asia/Tokyo" });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "test" });

  function host(target: string, json?: unknown): Promise<Answered> {
    if (database !== undefined) keepAsHost(database, target, json);
    return send(target, { token: hostToken, json });
  }

  return {
    hookwright,
    store,
    readDirectly,
    addRejected,
    origin: server.origin,
    key,
    receiver: {
      origin: receiver.origin,
      received,
      answerWith: (next) => void (status = next),
      hold() {
        const { promise, resolve } = Promise.withResolvers<void>();
        held = promise;
        return resolve;
      },
    },
    advance: (ms) => void (offset += ms),
    ask: (target, asked = {}) => send(target, { token: key, ...asked }),
    host,
    publishEvent: (event, data, site = "site_1", more = {}) =>
      host("POST /host/v1/events", { event, project_id: site, data, ...more }),
    statusOf: async (id) => (await hookwright.deliveries.get("acc_1", id)).status,
    async subscribe(event, path = "/hooks") {
      const { data } = await send("POST /v1/webhooks", {
        token: key,
        json: { event, target_url: receiver.origin + path },
      });
      return { id: data.id, secret: data.signing_secret };
    },
    async deliveries(count, secret) {
      await expect.poll(() => received.length).toBeGreaterThanOrEqual(count);
      for (const { headers, body } of received) verifySync({ headers, body, secrets: secret });
      return received;
    },
    async [Symbol.asyncDispose]() {
      await hookwright.close();
      await server[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await close();
    },
  };
}

/** Calls the host's own program after an event. All sites here belong to `acc_1`. */
function keepAsHost(database: HostDatabase, target: string, json: unknown): void {
  const [, removed] = /^DELETE .*\/records\/orders\/(.+)$/u.exec(target) ?? [];
  if (removed !== undefined) database.removeOrder(removed);
  if (target !== "POST /host/v1/events") return;
  for (const { event, project_id, data } of [json].flat().map(toEvent))
    if (event.startsWith("order.")) database.keepOrder("acc_1", { project_id, data });
}

function toEvent(json: unknown): SiteOrder & { readonly event: string } {
  return JSON.parse(JSON.stringify(json));
}
