import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import type { AttemptRow } from "@hookwright/delivery";
import { describe, expect, it } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import type { Hookwright } from "../src/create-hookwright.ts";
import type { HookwrightOptions } from "../src/options/options.ts";
import { addTraceIds } from "../src/tracing/add-trace-ids.ts";
import { createAttemptTracing } from "../src/tracing/trace-attempts.ts";
import { openBakery, publishReview, secret } from "./support/bakery.ts";
import { listenLocally } from "./support/listen-locally.ts";
import { recordSpans } from "./support/record-spans.ts";

const recorder = recordSpans();
const hostToken = "the token of the host";

/** Answers with these statuses in turn, and then with 204. */
async function openEndpoint(...statuses: readonly number[]) {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    response.writeHead(statuses[headers.length] ?? 204).end();
    headers.push(request.headers);
  });
  const local = await listenLocally(server);
  const { port } = local;
  return {
    port,
    headers,
    url: `http://127.0.0.1:${port}/hooks/secret-path?token=secret-query`,
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}

function open(store: Store, options: Partial<HookwrightOptions> = {}): Promise<Hookwright> {
  const quiet = { info() {}, warn() {}, error() {} };
  return createHookwright({
    store,
    secret,
    hostToken,
    privateTargets: true,
    retryDelaysSeconds: [0.05, 1, 1, 1, 1],
    logger: quiet,
    ...options,
  });
}

const parentOf = ({ parentSpanContext }: ReadableSpan): string | undefined => parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().spanId;

function postEvent(hookwright: Hookwright, headers: Record<string, string>, id = "rev_1"): Promise<Response> {
  const data = { id, rating: 5, customer: { name: "Ada", email: "ada@example.com" } };
  return hookwright.fetch(
    new Request("http://localhost/host/v1/events", {
      method: "POST",
      headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ event: "review.submitted", project_id: "site_shop", data }),
    }),
  );
}

const stores = {
  memory: () => {
    const store = memoryStore();
    return { open: async () => store, close: async () => {}, remove: async () => {} };
  },
  filesystem: async () => {
    const directory = await mkdtemp(path.join(tmpdir(), "hookwright-traces-"));
    return {
      open: () => openFilesystemStore({ directory }),
      close: (store: Store) => store.close(),
      remove: () => rm(directory, { recursive: true }),
    };
  },
};

describe.each(["memory", "filesystem"] as const)("on the store %s", (name) => {
  it("publish and attempts of another process are one trace", async () => {
    await using endpoint = await openEndpoint(500);
    const { open: openStore, close, remove } = await stores[name]();
    const first = await openStore();
    let webhookId = "";
    let deliveryId = "";
    let host;
    {
      await using api = await open(first, { role: "api" });
      webhookId = (await openBakery(api, endpoint.url)).webhook.id;
      host = await recorder.inHostSpan(async () => {
        deliveryId = (await publishReview(api, "rev_1")).deliveries[0] ?? "";
      });
    }
    await close(first);
    const second = await openStore();
    {
      await using worker = await open(second, { role: "worker" });
      await expect.poll(() => endpoint.headers.length).toBe(2);
      const { traceId } = host.spanContext();
      const spans = await recorder.spansOf(traceId, 4);
      expect(spans.map(({ name: each, kind }) => [each, kind])).toEqual([
        ["publish review.submitted", SpanKind.PRODUCER],
        ["host", SpanKind.INTERNAL],
        ["POST", SpanKind.CLIENT],
        ["POST", SpanKind.CLIENT],
      ]);
      const [publish, , failed, accepted] = spans;
      expect(publish && parentOf(publish)).toBe(host.spanContext().spanId);
      expect([failed, accepted].map((span) => span && parentOf(span))).toEqual([
        idOf(publish),
        idOf(publish),
      ]);
      expect(publish?.attributes).toEqual({
        "messaging.system": "hookwright",
        "messaging.operation.name": "publish",
        "messaging.operation.type": "send",
        "messaging.destination.name": "review.submitted",
      });
      // Nothing of the record, and neither the path nor the query of the URL.
      const ofEveryAttempt = {
        "http.request.method": "POST",
        "url.scheme": "http",
        "server.address": "127.0.0.1",
        "server.port": endpoint.port,
        "messaging.system": "hookwright",
        "messaging.destination.name": "review.submitted",
        "messaging.message.id": deliveryId,
        "hookwright.account_id": "acc_bakery",
        "hookwright.webhook_id": webhookId,
        "hookwright.delivery_kind": "event",
      };
      expect(failed?.attributes).toEqual({
        ...ofEveryAttempt,
        "http.response.status_code": 500,
        "error.type": "500",
      });
      expect(failed?.status).toEqual({ code: SpanStatusCode.ERROR });
      expect(accepted?.attributes).toEqual({
        ...ofEveryAttempt,
        "http.request.resend_count": 1,
        "http.response.status_code": 204,
      });
      // The headers of a delivery are those of the specification.
      expect(endpoint.headers.map(({ traceparent }) => traceparent)).toEqual([undefined, undefined]);
      expect(worker.scheduler.running).toBe(true);
    }
    await close(second);
    await remove();
  });
});

it("publishes that share a commit keep their traces", async () => {
  await using endpoint = await openEndpoint();
  await using hookwright = await open(memoryStore());
  await openBakery(hookwright, endpoint.url);
  const hosts = await Promise.all(
    ["rev_1", "rev_2", "rev_3"].map((id) => recorder.inHostSpan(() => publishReview(hookwright, id))),
  );
  for (const host of hosts) {
    const spans = await recorder.spansOf(host.spanContext().traceId, 3);
    expect(spans.map(({ name }) => name).toSorted()).toEqual(["POST", "host", "publish review.submitted"]);
  }
});

it("a request to the host API continues the trace of its client, and its log line has the ids", async () => {
  await using endpoint = await openEndpoint();
  const lines: Readonly<Record<string, unknown>>[] = [];
  const info = (_: string, fields: object = {}) => void lines.push({ ...fields });
  const logger = { info, warn: info, error: info };
  await using hookwright = await open(memoryStore(), { logger, accessLog: true });
  await openBakery(hookwright, endpoint.url);
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const response = await postEvent(hookwright, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  expect(response.status).toBe(200);
  const spans = await recorder.spansOf(traceId, 3);
  const served = spans.find(({ kind }) => kind === SpanKind.SERVER);
  const publish = spans.find(({ kind }) => kind === SpanKind.PRODUCER);
  expect(served?.name).toBe("POST /host/v1/events");
  expect(served && parentOf(served)).toBe("00f067aa0ba902b7");
  expect(served?.attributes).toEqual({
    "http.request.method": "POST",
    "url.scheme": "http",
    "http.route": "/host/v1/events",
    "http.response.status_code": 200,
    "hookwright.request_id": response.headers.get("x-request-id"),
  });
  expect(publish && parentOf(publish)).toBe(idOf(served));
  expect(spans.find(({ kind }) => kind === SpanKind.CLIENT)?.parentSpanContext?.spanId).toBe(idOf(publish));
  expect(lines).toContainEqual(
    expect.objectContaining({ code: "request_served", trace_id: traceId, span_id: idOf(served) }),
  );
});

it("a log line about an attempt that was recorded has the ids of its span", async () => {
  const { traceAttempt, inTraceOf } = createAttemptTracing(trace.getTracer("hookwright"));
  const lines: unknown[] = [];
  const info = (_: string, fields?: object) => void lines.push(fields);
  const logger = addTraceIds({ info, warn: info, error: info });
  const attempt = { error: null, status: 204 } as AttemptRow;
  const before = recorder.spans.length;
  traceAttempt({
    accountId: "acc_1",
    delivery: {
      id: "dlv_1",
      webhook_id: "wh_1",
      event: "order.created",
      record_id: "1",
      kind: "event",
      attempts: [],
    },
    targetUrl: "https://example.com/hooks",
    body: "{}",
    sign: () => "",
  })?.(attempt);
  inTraceOf(attempt, () => logger.info("recorded", { delivery_id: "dlv_1" }));
  const [span] = recorder.spans.slice(before);
  expect(lines).toEqual([
    { delivery_id: "dlv_1", trace_id: span?.spanContext().traceId, span_id: idOf(span) },
  ]);
});

it("inside a span of the host's own server, a request is not a second server span", async () => {
  await using hookwright = await open(memoryStore());
  const host = await recorder.inHostSpan(() => hookwright.fetch(new Request("http://localhost/v1/me")));
  const [served] = await recorder.spansOf(host.spanContext().traceId, 2);
  expect(served?.kind).toBe(SpanKind.INTERNAL);
  expect(served && parentOf(served)).toBe(host.spanContext().spanId);
  expect(served?.attributes).toMatchObject({ "http.route": "/v1/me", "http.response.status_code": 401 });
});

it.each([
  ["to /v1 without a key", "/v1/me", undefined],
  ["to /v1 with the host token", "/v1/me", hostToken],
  ["to the host API with a wrong token", "/host/v1/stats", "a guess"],
  ["to the host API without a token", "/host/v1/stats", undefined],
])("a request %s begins its own trace, whatever trace it names", async (_, requestPath, token) => {
  await using hookwright = await open(memoryStore());
  const before = recorder.spans.length;
  for (const [traceId, flags] of [
    ["4bf92f3577b34da6a3ce929d0e0e4738", "01"],
    ["4bf92f3577b34da6a3ce929d0e0e4739", "00"],
  ]) {
    const headers = {
      traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    await hookwright.fetch(new Request(`http://localhost${requestPath}`, { headers }));
  }
  const spans = recorder.spans.slice(before);
  // The sampler decides, also if the client says that nothing is to be recorded.
  expect(spans.map(parentOf)).toEqual([undefined, undefined]);
  expect(spans.map(({ links: [link] }) => link?.context.traceId)).toEqual([
    "4bf92f3577b34da6a3ce929d0e0e4738",
    "4bf92f3577b34da6a3ce929d0e0e4739",
  ]);
});

it("a trace that its client does not sample has no spans, in any process", async () => {
  await using endpoint = await openEndpoint();
  await using hookwright = await open(memoryStore());
  await openBakery(hookwright, endpoint.url);
  const before = recorder.spans.length;
  await postEvent(hookwright, { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4737-00f067aa0ba902b7-00" });
  await expect.poll(() => endpoint.headers.length).toBe(1);
  await hookwright.close();
  expect(recorder.spans.length).toBe(before);
});

it("probes and unknown paths create no names of their own", async () => {
  await using hookwright = await open(memoryStore());
  const before = recorder.spans.length;
  for (const each of ["/healthz", "/readyz", "/a/private/path"])
    await hookwright.fetch(new Request(`http://localhost${each}`, { method: "GET" }));
  const spans = recorder.spans.slice(before);
  expect(spans.map(({ name }) => name)).toEqual(["GET"]);
  expect(spans[0]?.attributes).not.toHaveProperty("http.route");
});

it("a resend and a test belong to the trace of the request that asked for them", async () => {
  await using endpoint = await openEndpoint();
  await using hookwright = await open(memoryStore());
  const { webhook } = await openBakery(hookwright, endpoint.url);
  const { deliveries } = await publishReview(hookwright, "rev_1");
  await expect.poll(() => endpoint.headers.length).toBe(1);
  const resent = await recorder.inHostSpan(() =>
    hookwright.deliveries.resend("acc_bakery", deliveries[0] ?? ""),
  );
  await recorder.spansOf(resent.spanContext().traceId, 2);
  const tested = await recorder.inHostSpan(() => hookwright.webhooks.sendTest("acc_bakery", webhook.id));
  const [attempt] = await recorder.spansOf(tested.spanContext().traceId, 2);
  expect(attempt?.attributes["hookwright.delivery_kind"]).toBe("test");
});

it("a failed publish and an unreachable endpoint name the type of the error", async () => {
  await using hookwright = await open(memoryStore());
  await openBakery(hookwright, "http://127.0.0.1:1/hooks");
  const refused = await recorder.inHostSpan(() =>
    hookwright
      .publish({ event: "review.submitted", project_id: "site_none", data: {} as never })
      .catch(() => {}),
  );
  const [publish] = await recorder.spansOf(refused.spanContext().traceId, 2);
  expect(publish?.attributes["error.type"]).toBe("validation_failed");
  const host = await recorder.inHostSpan(() => publishReview(hookwright, "rev_1"));
  const spans = await recorder.spansOf(host.spanContext().traceId, 3);
  expect(spans.at(-1)?.attributes["error.type"]).toBe("connect");
  expect(spans.at(-1)?.attributes).not.toHaveProperty("http.response.status_code");
});

it("a broken span processor of the host loses no result", async () => {
  await using endpoint = await openEndpoint();
  await using hookwright = await open(memoryStore());
  await openBakery(hookwright, endpoint.url);
  recorder.failOnEnd = true;
  try {
    const { deliveries } = await publishReview(hookwright, "rev_1");
    await expect
      .poll(async () => (await hookwright.deliveries.list("acc_bakery", {})).rows[0])
      .toMatchObject({ id: deliveries[0], status: "delivered" });
    expect(endpoint.headers).toHaveLength(1);
  } finally {
    recorder.failOnEnd = false;
  }
});

it("work that a request only triggers does not run in its trace", async () => {
  await using endpoint = await openEndpoint(410);
  const traces: (string | undefined)[] = [];
  await using hookwright = await open(memoryStore(), {
    mailer: { send: async () => void traces.push(trace.getActiveSpan()?.spanContext().traceId) },
  });
  await openBakery(hookwright, endpoint.url);
  await recorder.inHostSpan(() => publishReview(hookwright, "rev_1"));
  await expect.poll(() => traces.length).toBeGreaterThan(0);
  expect(traces).toEqual([undefined]);
});
