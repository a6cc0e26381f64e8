import { join } from "node:path";
import { trace } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { readTraceSettings } from "../src/tracing/read-trace-settings.ts";
import { startTracing } from "../src/tracing/start-tracing.ts";
import { openReceiver } from "../../packages/hookwright/test/support/open-receiver.ts";
import { findFreePort } from "../../packages/storage/test/support/free-port.ts";
import { call, createAccount, createWebhook, hostToken } from "./support/host-api.ts";
import { makeFolder } from "./support/make-folder.ts";
import { openOtlpReceiver } from "./support/otlp-receiver.ts";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const order = { event: "order.created", project_id: "site_1", data: { id: "ord_1", total: 5 } };

function environment(more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    HOOKWRIGHT_SECRET: "a secret that all of these processes share",
    HOOKWRIGHT_HOST_TOKEN: hostToken,
    HOOKWRIGHT_PRIVATE_TARGETS: "allow",
    OTEL_BSP_SCHEDULE_DELAY: "50",
    ...more,
  };
}

async function publish(server: ServerProcess): Promise<void> {
  const response = await fetch(`${server.url}/host/v1/events`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${hostToken}`,
      "content-type": "application/json",
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify(order),
  });
  expect(response.status).toBe(200);
}

async function subscribe(server: ServerProcess, origin: string): Promise<void> {
  const { apiKey } = await createAccount(server);
  await createWebhook(server, { token: apiKey, url: `${origin}/hook` });
}

it("an API process and a worker export one trace over OTLP", async () => {
  await using otlp = await openOtlpReceiver();
  await using receiver = await openReceiver();
  const directory = await makeFolder();
  const env = environment({
    HOOKWRIGHT_STORAGE: `file:${join(directory, "data")}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=bakery",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  {
    const starting = startServer({ args: ["serve", "--role", "worker"], env });
    await using api = await startServer({
      args: ["serve", "--role", "api"],
      env: { ...env, OTEL_SERVICE_NAME: "shop-api" },
    });
    await using worker = await starting;
    await subscribe(api, receiver.origin);
    await publish(api);
    await receiver.next();
    const spans = await otlp.spansOf(traceId, 3);
    const find = (name: string) => spans.find((span) => span.name === name);
    const [served, published, sent] = ["POST /host/v1/events", "publish order.created", "POST"].map(find);
    expect(served).toMatchObject({
      parentSpanId: "00f067aa0ba902b7",
      attributes: { "http.route": "/host/v1/events", "http.response.status_code": 200 },
      resource: { "service.name": "shop-api", "deployment.environment.name": "test" },
    });
    expect(published?.parentSpanId).toBe(served?.spanId);
    expect(sent).toMatchObject({
      parentSpanId: published?.spanId,
      attributes: { "server.address": "127.0.0.1", "http.response.status_code": 204 },
      resource: { "service.name": "hookwright" },
    });
    expect(sent?.resource["service.instance.id"]).not.toBe(served?.resource["service.instance.id"]);
    expect(otlp.exports.every((headers) => headers["x-tenant"] === "bakery")).toBe(true);
    expect(otlp.exports.map((headers) => headers["content-type"])).toContain("application/x-protobuf");
    expect(api.stdout).not.toContain("unknown_variable");
    expect(await worker.stop()).toEqual({ code: 0, signal: null });
  }
}, 90_000);

it("spans that are waiting are exported at shutdown, here as JSON", async () => {
  await using otlp = await openOtlpReceiver();
  await using server = await startServer({
    env: environment({
      HOOKWRIGHT_STORAGE: "memory",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${otlp.endpoint}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_BSP_SCHEDULE_DELAY: "60000",
    }),
  });
  await call(server, "/host/v1/stats");
  expect(otlp.spans).toEqual([]);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(otlp.spans.map(({ name }) => name)).toEqual(["GET /host/v1/stats"]);
  expect(otlp.exports[0]?.["content-type"]).toBe("application/json");
});

it("a collector that does not answer harms no delivery and is logged once", async () => {
  await using receiver = await openReceiver();
  await using server = await startServer({
    env: environment({
      HOOKWRIGHT_STORAGE: "memory",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: "200",
    }),
  });
  await subscribe(server, receiver.origin);
  await publish(server);
  await receiver.next();
  await server.waitFor(/"code":"traces_not_exported"/u);
  for (let each = 0; each < 3; each++) {
    await call(server, "/host/v1/stats");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const start = performance.now();
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(server.stdout.match(/traces_not_exported/gu)).toHaveLength(1);
  expect(server.stderr).toBe("");
});

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

it.each([
  ["always_on", undefined, true],
  ["always_off", undefined, false],
  ["traceidratio", "0", false],
  ["parentbased_traceidratio", "1", true],
  ["parentbased_always_off", undefined, false],
])("the sampler %s with the argument %s", async (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, isSampled) => {
  const variables = { ...endpoint, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG };
  const stop = await startTracing({ environment: variables, log: () => {} });
  expect(trace.getTracer("test").startSpan("one").isRecording()).toBe(isSampled);
  await stop?.();
  expect(trace.getTracer("test").startSpan("one").isRecording()).toBe(false);
});

it("a variable that cannot be used is named in the log, and the server starts without traces", async () => {
  const lines: unknown[] = [];
  const stop = await startTracing({
    environment: { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    log: (code, fields) => lines.push([code, fields]),
  });
  expect(stop).toBeUndefined();
  const problem = "OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json.";
  expect(lines).toEqual([["tracing_not_started", { problem }]]);
});

it.each([
  ["no endpoint is given", {}],
  ["the endpoint is empty", { OTEL_EXPORTER_OTLP_ENDPOINT: " " }],
  ["the SDK is disabled", { ...endpoint, OTEL_SDK_DISABLED: "true" }],
  ["the exporter is none", { ...endpoint, OTEL_TRACES_EXPORTER: "none" }],
])("nothing is exported if %s", (_, variables) => {
  expect(readTraceSettings(variables)).toBeUndefined();
});

it.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT"],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" }, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: "zipkin" }, "OTEL_TRACES_EXPORTER"],
  [{ ...endpoint, OTEL_TRACES_SAMPLER: "jaeger_remote" }, "OTEL_TRACES_SAMPLER"],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" },
    "OTEL_TRACES_SAMPLER_ARG",
  ],
])("%j is refused", (variables, name) => {
  expect(readTraceSettings(variables)).toEqual({ problem: expect.stringMatching(`^${name} must be`) });
});

it("the defaults are those of the specification of OpenTelemetry", () => {
  expect(readTraceSettings(endpoint)).toEqual({
    protocol: "http/protobuf",
    sampler: "parentbased_always_on",
    ratio: 1,
    continuesTraces: true,
    batch: {},
  });
});
