import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryStore } from "@hookwright/storage/memory";
import { hasPostgresServer, startPostgresServer } from "../../storage/test/support/postgres-server.ts";
import type { PostgresServer } from "../../storage/test/support/postgres-server.ts";
import { publishInTransaction } from "../src/postgres.ts";
import { newSchema, openOutboxWorld } from "./support/outbox-world.ts";
import { recordSpans } from "./support/record-spans.ts";

const recorder = recordSpans();
const order = (id: string) => ({ id, total: "9.50" }) as never;

describe.runIf(hasPostgresServer)("through an outbox in PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.each(["its own store", "another store"])(
    "a transaction and its attempts are one trace, with %s",
    async (kind) => {
      const { url } = server;
      const schema = newSchema();
      await using world = await openOutboxWorld(
        kind === "its own store"
          ? { url, schema }
          : { url, schema, openStore: async () => memoryStore(), hookwright: { outbox: { url, schema } } },
      );
      const { client } = world;
      const host = await recorder.inHostSpan(async () => {
        await client.query("begin");
        await publishInTransaction(
          client,
          { event: "order.created", project_id: "site_1", data: order("ord_1") },
          { schema },
        );
        await client.query("commit");
      });
      await world.receiver.next();
      const spans = await recorder.spansOf(host.spanContext().traceId, 3);
      const [publish, attempt] = ["publish order.created", "POST"].map((name) =>
        spans.find((span) => span.name === name),
      );
      expect(publish?.parentSpanContext?.spanId).toBe(host.spanContext().spanId);
      expect(attempt?.parentSpanContext?.spanId).toBe(publish?.spanContext().spanId);
    },
  );

  it("a program in another language writes the traceparent, and a malformed one begins a new trace", async () => {
    await using world = await openOutboxWorld({ url: server.url });
    const { client, schema } = world;
    const insert = (id: string, traceParent: string) =>
      client.query(
        `insert into ${schema}.outbox (event, project_id, data, traceparent) values ($1, $2, $3::jsonb, $4)`,
        ["order.created", "site_1", JSON.stringify(order(id)), traceParent],
      );
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4738";
    await insert("ord_1", `00-${traceId}-00f067aa0ba902b7-01`);
    await insert("ord_2", "x".repeat(100_000));
    await insert("", `00-${traceId}-00f067aa0ba902b7-01`);
    await Promise.all([world.receiver.next(), world.isEmpty()]);
    // The third row is refused. Its span names the reason.
    const spans = await recorder.spansOf(traceId, 3);
    expect(spans.map(({ attributes }) => attributes["error.type"])).toContain("validation_failed");
    const [rejected] = await world.rejected();
    expect(rejected?.["traceparent"]).toBe(`00-${traceId}-00f067aa0ba902b7-01`);
    await world.receiver.next();
  });
});
