import { describe, expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { openConsoleStream } from "./support/event-stream.ts";
import type { ServerSentEvents } from "./support/event-stream.ts";
import { openWorld } from "./support/open-world.ts";
import type { World } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { storages } from "./support/storages.ts";

useQuickScrypt();
const password = "correct horse battery";

async function signIn({ hookwright }: World, accountId: string, email: string, demo = false) {
  await hookwright.accounts.put(accountId, { email, password, demo });
  return (await hookwright.sessions.create({ email, password })).token;
}

async function publish(world: World, id: string): Promise<string> {
  const { data } = await world.publishEvent("order.created", order(id));
  return data.deliveries[0] ?? "";
}

/** The rows as a page would have them: the newest of each id. */
function rowsOf({ events }: ServerSentEvents, name: "delivery" | "webhook"): Map<string, unknown> {
  const rows = events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data));
  return new Map(rows.map((row) => [row.id, row]));
}

describe.each(storages)("on $name, an open console", (storage) => {
  it("gets the rows of its lists as they change", async () => {
    await using world = await openWorld(storage);
    const token = await signIn(world, "acc_1", "one@example.com");
    await using stream = await openConsoleStream(world.origin, token);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    await expect.poll(() => stream.comments).toEqual(["connected"]);
    const webhook = await world.subscribe("order.created");
    world.receiver.answerWith(500);
    const failing = await publish(world, "ord_1");
    await expect
      .poll(() => rowsOf(stream, "delivery").get(failing))
      .toMatchObject({ status: "pending", attempts_made: 3, last_status: 500 });
    world.receiver.answerWith(204);
    const accepted = await publish(world, "ord_2");
    await expect.poll(() => rowsOf(stream, "delivery").get(accepted)).toMatchObject({ status: "delivered" });
    await world.ask(`POST /console/api/webhooks/${webhook.id}/pause`, { token });
    await expect.poll(() => rowsOf(stream, "webhook").get(webhook.id)).toMatchObject({ status: "paused" });
    const { rows } = await world.ask("GET /console/api/deliveries", { token });
    await expect.poll(() => [...rowsOf(stream, "delivery").values()].toReversed()).toEqual(rows);
    expect([...rowsOf(stream, "webhook").values()]).toEqual(
      (await world.ask("GET /console/api/webhooks", { token })).rows,
    );
    const ids = stream.events.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].toSorted((left, right) => left - right));
    await world.ask(`DELETE /console/api/webhooks/${webhook.id}`, { token });
    await expect.poll(() => rowsOf(stream, "webhook").get(webhook.id)).toMatchObject({ status: "removed" });
  });

  it("gets nothing of another account, and a demo account may open one", async () => {
    await using world = await openWorld(storage);
    const token = await signIn(world, "acc_1", "one@example.com");
    const other = await signIn(world, "acc_2", "two@example.com", true);
    await world.subscribe("order.created");
    await using stream = await openConsoleStream(world.origin, token);
    await using strange = await openConsoleStream(world.origin, other);
    expect(strange.response.status).toBe(200);
    const id = await publish(world, "ord_1");
    await expect.poll(() => rowsOf(stream, "delivery").get(id)).toMatchObject({ status: "delivered" });
    expect(strange.events).toEqual([]);
  });

  it("loses its stream when its session ends", async () => {
    await using world = await openWorld(storage);
    const token = await signIn(world, "acc_1", "one@example.com");
    await using stream = await openConsoleStream(world.origin, token);
    await expect.poll(() => stream.comments).toEqual(["connected"]);
    await world.ask("DELETE /console/api/session", { token });
    await stream.ended;
    expect((await openConsoleStream(world.origin, token)).response.status).toBe(401);
  });

  it("is refused an API key", async () => {
    await using world = await openWorld(storage);
    const stream = await openConsoleStream(world.origin, world.key);
    expect(stream.response.status).toBe(401);
  });

  it("ends when the process closes", async () => {
    await using world = await openWorld(storage);
    const token = await signIn(world, "acc_1", "one@example.com");
    const stream = await openConsoleStream(world.origin, token);
    await expect.poll(() => stream.comments).toEqual(["connected"]);
    await world.hookwright.close();
    await stream.ended;
    expect((await openConsoleStream(world.origin, token)).response.status).toBe(503);
  });
});
