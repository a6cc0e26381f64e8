import { describe, expect, it } from "vitest";
import { openConsole } from "./support/open-console.ts";
import { memory } from "./support/storages.ts";

describe("the console shows", () => {
  it("the outcome of the newest attempt in every row of the log", async () => {
    await using world = await openConsole(memory);
    const { receiver, ask } = world;
    await world.deliver("ord_1");
    receiver.answerWith(503);
    await world.deliver("ord_2");
    const { rows } = await world.console("GET /console/api/deliveries");
    const duration = expect.any(Number);
    expect(rows).toMatchObject([
      { record_id: "ord_2", last_status: 503, last_error: "status", last_duration_ms: duration },
      { record_id: "ord_1", last_status: 204, last_error: null, last_duration_ms: duration },
    ]);
    expect((await ask("GET /developer/v1/deliveries")).rows).toEqual(rows);
  });

  it("which delivery a resend repeats, and the resends of a delivery", async () => {
    await using world = await openConsole(memory);
    const { receiver, hookwright, webhookId } = world;
    receiver.answerWith(500);
    const [original = ""] = await world.deliver("ord_1");
    const { data: resend } = await world.console(`POST /console/api/deliveries/${original}/resend`);
    expect(resend).toMatchObject({ kind: "resend", resent_from: original });
    await expect.poll(async () => (await world.get(resend.id)).status).toBe("failed");
    const since = "2020-01-01T00:00:00Z";
    const recovery = await hookwright.webhooks.recover("acc_1", webhookId, { since });
    await expect
      .poll(() => hookwright.webhooks.getRecovery("acc_1", recovery.id))
      .toMatchObject({ status: "finished", resent: 1 });
    const rows = (await world.console("GET /console/api/deliveries")).rows;
    expect(rows).toMatchObject([
      { resent_from: resend.id },
      { resent_from: original },
      { resent_from: null },
    ]);
    expect((await world.get(original)).resends).toEqual([resend.id]);
    expect((await world.get(resend.id)).resends).toEqual([rows[0]?.id]);
  });

  it("the exact bytes that an attempt signed", async () => {
    await using world = await openConsole(memory);
    const { token, ask } = world;
    const [delivery = ""] = await world.deliver("ord_1");
    await world.publish("ord_2");
    const path = `/console/api/deliveries/${delivery}/attempts`;
    const { status, headers, text } = await world.console(`GET ${path}/1/body`);
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(text).toBe(world.receiver.received[0]?.body);
    for (const other of [
      `${path}/2/body`,
      `${path}/0/body`,
      `${path}/1e0/body`,
      "/console/api/deliveries/dlv_none/attempts/1/body",
    ]) {
      const refused = await ask(`GET ${other}`, { token });
      expect([other, refused.status, refused.error?.code]).toEqual([other, 404, "resource_not_found"]);
    }
  });

  it("the deliveries that match the time, the outcome and the number of attempts", async () => {
    await using world = await openConsole(memory, { retryDelaysSeconds: [0.05] });
    const { receiver } = world;
    const [first = ""] = await world.deliver("ord_1");
    world.advance(2_000);
    receiver.answerWith(503);
    const [second = ""] = await world.deliver("ord_2");
    const { created_at: at } = await world.get(second);
    const find = async (query: string) => {
      const lists = [
        await world.console(`GET /console/api/deliveries?${query}`),
        await world.ask(`GET /developer/v1/deliveries?${query}`),
        await world.console(`GET /console/api/deliveries?webhook_id=${world.webhookId}&${query}`),
      ];
      const [ids, ...others] = lists.map(({ rows }) => rows.map(({ id }) => id));
      expect(others).toEqual([ids, ids]);
      return ids;
    };
    expect(await find(`since=${at}`)).toEqual([second]);
    expect(await find(`until=${at}`)).toEqual([first]);
    expect(await find("http_status=503")).toEqual([second]);
    expect(await find("error=status")).toEqual([second]);
    expect(await find("error=timeout")).toEqual([]);
    expect(await find("attempts_min=1")).toEqual([second, first]);
    expect(await find("attempts_min=2")).toEqual([second]);
    expect(await find(`attempts_min=1&since=2020-01-01T00:00:00Z&status=delivered`)).toEqual([first]);
    expect(await find("q=ord_2&http_status=204")).toEqual([]);
    const page = await world.console("GET /console/api/deliveries?limit=1&attempts_min=1");
    const cursor = page.meta.next_cursor ?? "";
    const next = `GET /console/api/deliveries?limit=1&cursor=${cursor}`;
    expect((await world.console(`${next}&attempts_min=1`)).rows).toMatchObject([{ id: first }]);
    expect((await world.console(next)).error?.code).toBe("invalid_cursor");
    for (const wrong of ["since=now", "until=1", "http_status=99", "http_status=5xx", "attempts_min=0"]) {
      const { status, error } = await world.console(`GET /console/api/deliveries?${wrong}`);
      expect([wrong, status, error?.code]).toEqual([wrong, 422, "validation_failed"]);
    }
  });

  it("the number of deliveries of each status under the filters of the log", async () => {
    await using world = await openConsole(memory, { retryDelaysSeconds: [3_600] });
    const { receiver, hookwright } = world;
    const count = async (query: string) =>
      (await world.console(`GET /console/api/deliveries/counts?${query}`)).data;
    const none = { all: 0, delivered: 0, pending: 0, failed: 0, cancelled: 0 };
    expect(await count("")).toEqual(none);
    await world.deliver("ord_1");
    await world.deliver("ord_2");
    receiver.answerWith(500);
    const [waiting = ""] = await world.publish("ord_3");
    await expect.poll(async () => (await world.get(waiting)).attempts_made).toBe(1);
    expect(await count("")).toEqual({ ...none, all: 3, delivered: 2, pending: 1 });
    expect(await count(`webhook_id=${world.webhookId}&kind=event`)).toEqual(await count(""));
    expect(await count("status=delivered")).toEqual({ ...none, all: 2, delivered: 2 });
    expect(await count("http_status=500")).toEqual({ ...none, all: 1, pending: 1 });
    expect(await count("q=ord_1")).toEqual({ ...none, all: 1, delivered: 1 });
    expect(await count("event=order.paid")).toEqual(none);
    expect(await hookwright.deliveries.count("acc_1", {})).toEqual(await count(""));
  });

  it("why a delivery was cancelled", async () => {
    await using world = await openConsole(memory, { retryDelaysSeconds: [0.05] });
    const { receiver, hookwright, webhookId } = world;
    receiver.answerWith(500);
    /** Changes something while the first attempt is in flight. The reason is shown before the second one. */
    const cancel = async (id: string, change: () => Promise<unknown>): Promise<unknown> => {
      const arrived = receiver.received.length;
      const release = receiver.hold();
      const [delivery = ""] = await world.publish(id);
      await expect.poll(() => receiver.received.length).toBe(arrived + 1);
      await change();
      release();
      await expect.poll(async () => (await world.get(delivery)).status).toBe("cancelled");
      return (await world.get(delivery)).cancel_reason;
    };
    expect(await cancel("ord_1", () => hookwright.webhooks.pause("acc_1", webhookId))).toBe("paused");
    await hookwright.webhooks.resume("acc_1", webhookId);
    const remove = () => hookwright.records.remove("acc_1", "orders", "ord_2");
    expect(await cancel("ord_2", remove)).toBe("record_deleted");
    const suspend = () => hookwright.accounts.put("acc_1", { status: "suspended" });
    expect(await cancel("ord_3", suspend)).toBe("account_unavailable");
    await hookwright.accounts.put("acc_1", { status: "active" });
    receiver.answerWith(204);
    await world.deliver("ord_4");
    receiver.answerWith(500);
    const removeWebhook = () => hookwright.webhooks.remove("acc_1", webhookId);
    expect(await cancel("ord_5", removeWebhook)).toBe("webhook_removed");
    const { rows } = await world.console("GET /console/api/deliveries");
    expect(rows).toMatchObject(
      ["webhook_removed", null, "account_unavailable", "record_deleted", "paused"].map((reason) => ({
        cancel_reason: reason,
      })),
    );
  });
});
