import { describe, expect, it } from "vitest";
import { openConsole } from "./support/open-console.ts";
import { storages } from "./support/storages.ts";
import type { StorageUnderTest } from "./support/storages.ts";

const since = "2020-01-01T00:00:00Z";

async function openRecoveries(storage: StorageUnderTest) {
  const world = await openConsole(storage);
  /** The body ids that were received from this position on. */
  const receivedFrom = (start: number): string[] =>
    world.receiver.received.slice(start).map(({ body }) => {
      const { id }: { readonly id: string } = JSON.parse(body);
      return id;
    });
  return Object.assign(world, { receivedFrom });
}

describe.each(storages)("on $name, a recovery", (storage) => {
  it("says before its start what it would find, also of a webhook that sends nothing", async () => {
    await using world = await openRecoveries(storage);
    const { receiver, webhookId } = world;
    const path = `/console/api/webhooks/${webhookId}`;
    const preview = async (query: string, id = webhookId) => {
      const { status, text, error } = await world.console(
        `GET /console/api/webhooks/${id}/recoveries/preview?${query}`,
      );
      return status === 200 ? JSON.parse(text).data : { status, code: error?.code };
    };
    receiver.answerWith(500);
    await world.deliver("ord_1", "ord_2");
    receiver.answerWith(204);
    await world.deliver("ord_3");
    await world.console(`POST ${path}/pause`);
    await world.deliver("ord_4");
    expect(await preview(`since=${since}`)).toEqual({ found: 2, complete: true });
    expect(await preview(`since=${since}&missed=true`)).toEqual({ found: 3, complete: true });
    expect(await preview(`since=${since}&statuses=cancelled`)).toEqual({ found: 0, complete: true });
    expect(await preview(`since=${since}&until=2020-01-02T00:00:00Z&missed=true`)).toEqual({
      found: 0,
      complete: true,
    });
    for (const query of ["", "since=now", `since=${since}&statuses=pending`, `since=${since}&missed=yes`])
      expect([query, await preview(query)]).toEqual([query, { status: 422, code: "validation_failed" }]);
    expect(await preview(`since=${since}`, "wh_none")).toEqual({ status: 404, code: "resource_not_found" });
    expect((await world.console(`GET ${path}/recoveries`)).rows).toEqual([]);
    await world.console(`POST ${path}/resume`);
    const started = await world.console(`POST ${path}/recoveries`, { since, missed: true });
    expect(started.data).toMatchObject({ found: 3 });
  });

  it("sends again what failed, is shown with its progress, and repeats nothing", async () => {
    await using world = await openRecoveries(storage);
    const { receiver, webhookId } = world;
    receiver.answerWith(500);
    await world.deliver("ord_1", "ord_2", "ord_3");
    receiver.answerWith(204);
    const path = `/console/api/webhooks/${webhookId}/recoveries`;
    const started = await world.console(`POST ${path}`, { since });
    expect([started.status, started.data]).toMatchObject([
      201,
      { id: expect.stringMatching(/^rcv_/u), webhook_id: webhookId, since, missed: false, found: 3 },
    ]);
    const one = `/console/api/recoveries/${started.data.id}`;
    await expect
      .poll(async () => (await world.console(`GET ${one}`)).data)
      .toMatchObject({ status: "finished", found: 3, resent: 3 });
    await expect.poll(() => world.receivedFrom(3)).toHaveLength(3);
    expect(world.receivedFrom(3).toSorted()).toEqual(
      [1, 2, 3].map((number) => `order.created_ord_${number}`),
    );
    await expect
      .poll(
        async () => (await world.console("GET /console/api/deliveries?kind=resend&status=delivered")).rows,
      )
      .toHaveLength(3);
    const again = await world.host(`POST /host/v1/webhooks/${webhookId}/recoveries`, { since });
    expect([again.status, again.data]).toMatchObject([201, { found: 0 }]);
    await expect
      .poll(async () => (await world.console(`GET /console/api/recoveries/${again.data.id}`)).data)
      .toMatchObject({ status: "finished", resent: 0 });
    const listed = await world.console(`GET ${path}`);
    expect(listed.rows.map(({ id }) => id)).toEqual([again.data.id, started.data.id]);
    const stopped = await world.console(`POST ${one}/stop`);
    expect([stopped.status, stopped.error?.code]).toEqual([409, "invalid_state"]);
    expect(receiver.received).toHaveLength(6);
  });

  it("with missed: true sends what was published during a pause", async () => {
    await using world = await openRecoveries(storage);
    const { webhookId } = world;
    const path = `POST /console/api/webhooks/${webhookId}`;
    await world.console(`${path}/pause`);
    await world.deliver("ord_1", "ord_2");
    const paused = await world.console(`${path}/recoveries`, { since, missed: true });
    expect([paused.status, paused.error?.code]).toEqual([409, "invalid_state"]);
    await world.console(`${path}/resume`);
    await world.deliver("ord_3");
    const { data } = await world.console(`${path}/recoveries`, { since, missed: true });
    expect(data).toMatchObject({ missed: true, found: 2 });
    await expect
      .poll(() => world.receivedFrom(1).toSorted())
      .toEqual(["order.created_ord_1", "order.created_ord_2"]);
    await expect
      .poll(async () => (await world.console(`GET /console/api/recoveries/${data.id}`)).data)
      .toMatchObject({ status: "finished", resent: 2 });
    const { data: second } = await world.console(`${path}/recoveries`, { since, missed: true });
    expect(second).toMatchObject({ found: 0 });
  });

  it("is started, shown and stopped with the key that created the webhook, and by no other key", async () => {
    await using world = await openRecoveries(storage);
    const { ask, hookwright, webhookId, receiver } = world;
    const { api_key: other } = await hookwright.apiKeys.create("acc_1", { name: "other" });
    receiver.answerWith(500);
    await world.deliver("ord_1");
    receiver.answerWith(204);
    const path = `/developer/v1/webhooks/${webhookId}/recoveries`;
    const hidden = async (target: string, json?: object) => {
      const { status, error } = await ask(target, { token: other, json });
      expect([target, status, error?.code]).toEqual([target, 404, "resource_not_found"]);
    };
    await hidden(`POST ${path}`, { since });
    const started = await ask(`POST ${path}`, { json: { since } });
    expect([started.status, started.data]).toMatchObject([201, { webhook_id: webhookId, found: 1 }]);
    const one = `/developer/v1/recoveries/${started.data.id}`;
    await expect
      .poll(async () => (await ask(`GET ${one}`)).data)
      .toMatchObject({ status: "finished", resent: 1 });
    expect((await ask(`GET ${path}`)).rows.map(({ id }) => id)).toEqual([started.data.id]);
    const stopped = await ask(`POST ${one}/stop`);
    expect([stopped.status, stopped.error?.code]).toEqual([409, "invalid_state"]);
    await hidden(`GET ${path}`);
    await hidden(`GET ${one}`);
    await hidden(`POST ${one}/stop`);
  });
});
