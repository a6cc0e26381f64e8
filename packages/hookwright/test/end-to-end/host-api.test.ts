import { describe, expect, it } from "vitest";
import { openWorld } from "./support/open-world.ts";
import { order } from "./support/records.ts";
import { storages } from "./support/storages.ts";

describe.each(storages)("on $name, the host API", (storage) => {
  it("merges the fields of a PUT, and says whether it created something", async () => {
    await using world = await openWorld(storage);
    const { host } = world;
    const created = await host("PUT /host/v1/accounts/acc_9", { name: "Nine", email: "nine@example.com" });
    expect([created.status, created.data]).toMatchObject([201, { id: "acc_9", status: "active" }]);
    const merged = await host("PUT /host/v1/accounts/acc_9", {
      plan: { monthly_new_subscribers: 7 },
      name: " ",
    });
    expect([merged.status, merged.data]).toMatchObject([
      200,
      { name: "Nine", email: "nine@example.com", plan: { monthly_new_subscribers: 7 } },
    ]);
    const emptied = await host("PUT /host/v1/accounts/acc_9", {
      plan: { name: "", crm: null, integrations: [] },
    });
    expect([emptied.status, emptied.data]).toEqual([200, merged.data]);
    const suppressed = { email: "no@example.com", reason: "complained" };
    expect((await host("PUT /host/v1/suppressions/no@example.com", {})).error?.message).toBe(
      "reason: is required",
    );
    for (const [body, status] of [
      [{ reason: "complained" }, 201],
      [{}, 200],
      [{ reason: " " }, 200],
    ] as const) {
      const put = await host("PUT /host/v1/suppressions/no@example.com", body);
      expect([put.status, put.data]).toMatchObject([status, suppressed]);
    }
    expect((await host("PUT /host/v1/accounts/acc_10", { name: "Ten" })).error?.message).toBe(
      "email: is required",
    );
    expect((await host("PUT /host/v1/projects/site_9", { account_id: "acc_9", name: "Nine" })).status).toBe(
      201,
    );
    expect((await host("PUT /host/v1/projects/site_9", { account_id: "acc_1" })).status).toBe(422);
    const key = await host("POST /host/v1/accounts/acc_9/api-keys", { name: "k" });
    expect([key.status, key.data]).toMatchObject([201, { api_key: expect.stringMatching(/^hwk_/) }]);
    expect((await world.ask("POST /host/v1/accounts/acc_9")).error?.code).toBe("not_found");
    expect((await world.ask("PUT /host/v1/accounts/acc_9", { json: {} })).error?.code).toBe(
      "invalid_api_key",
    );
  });

  it("reports all problems of an account, a site or a list at once, including its owner", async () => {
    await using world = await openWorld(storage);
    const refusal = async (path: string, body: unknown): Promise<string | undefined> => {
      const { status, error } = await world.host(`PUT /host/v1/${path}`, body);
      expect([status, error?.code]).toEqual([422, "validation_failed"]);
      return error?.message;
    };
    const zoneProblem = await refusal("accounts/acc_1", { timezone: "Mars" });
    expect(zoneProblem).toMatch(/^timezone: /);
    expect(await refusal("accounts/acc_new", { timezone: "Mars" })).toBe(
      `email: is required; ${zoneProblem}`,
    );
    expect(await refusal("accounts/acc_new", { email: 5, timezone: "Mars" })).toBe(
      `email: must be text; ${zoneProblem}`,
    );

    expect(await refusal("projects/site_new", { name: 5 })).toBe(
      "account_id: is required; name: must be text",
    );
    expect(await refusal("projects/site_new", { account_id: "acc_new", name: 5 })).toBe(
      "account_id: no such account; name: must be text",
    );
    expect(await refusal("projects/site_new", { account_id: 5, name: 5 })).toBe(
      "account_id: must be text; name: must be text",
    );
    expect(await refusal("projects/site_1", { name: 5 })).toBe("name: must be text");

    expect(await refusal("email-lists/lst_new", { name: 5 })).toBe(
      "project_id: is required; name: must be text",
    );
    expect(await refusal("email-lists/lst_new", { project_id: "site_new", name: 5 })).toBe(
      "project_id: no such site; name: must be text",
    );
    await world.host("PUT /host/v1/projects/site_other", { account_id: "acc_1" });
    await world.host("PUT /host/v1/email-lists/lst_1", { project_id: "site_1" });
    expect(await refusal("email-lists/lst_1", { project_id: "site_other", name: 5 })).toBe(
      "project_id: the list belongs to another site, and a list cannot be moved; name: must be text",
    );
  });

  it("reports all problems of an event at once, each with its path in the body", async () => {
    await using world = await openWorld(storage);
    const publish = async (data: unknown): Promise<string | undefined> => {
      const body = { event: "review.submitted", project_id: "site_unknown", data };
      const { status, error } = await world.host("POST /host/v1/events", body);
      expect([status, error?.code]).toEqual([422, "validation_failed"]);
      return error?.message;
    };
    expect(await publish({})).toMatch(/^project_id: no such site; data\.id: is required$/);
    const { hookwright } = world;
    for (const [event, project_id, problems] of [
      [undefined, 5, "event: is required; project_id: must be text"],
      [null, " ", "event: is required; project_id: is required"],
      [["order.paid"], "site_1", "event: must be text"],
    ]) {
      // @ts-expect-error a program without types may pass them
      await expect(hookwright.publish({ event, project_id, data: {} })).rejects.toMatchObject({
        code: "validation_failed",
        message: problems,
      });
    }
    await expect(
      hookwright.publish({
        event: "order.created",
        project_id: "site_1",
        data: { ...order("ord_1"), tip: "much" },
      }),
    ).rejects.toThrow("data.tip: must be a number, or decimal text such as 9.50 with at most 15 digits");
    await expect(
      // @ts-expect-error a program without types may pass it
      hookwright.publish({ event: "order.created", project_id: "site_unknown", data: null }),
    ).rejects.toThrow("project_id: no such site; data: is required");
  });

  it("gives an error for an id that cannot be converted to text, and handles the other events", async () => {
    await using world = await openWorld(storage);
    const item = (data: unknown) => ({ event: "order.created", project_id: "site_1", data });
    const items = [order("ord_1"), { ...order("ord_2"), id: { toString: 1 } }, null, order("ord_3")];
    const { status, rows } = await world.host("POST /host/v1/events", items.map(item));
    expect([status, rows]).toMatchObject([
      200,
      [
        { id: "order.created_ord_1" },
        { error: { code: "validation_failed", message: "data.id: must be text" } },
        { error: { code: "validation_failed", message: "data: is required" } },
        { id: "order.created_ord_3" },
      ],
    ]);
  });

  it("accepts 1,000 events in one call with one result each, and an invalid event does not stop the others", async () => {
    await using world = await openWorld(storage);
    const { secret } = await world.subscribe("order.created");
    const events: unknown[] = Array.from({ length: 1_000 }, (_, index) => ({
      event: "order.created",
      project_id: "site_1",
      data: order(`ord_${index}`),
    }));
    events[1] = { event: "order.shipped", project_id: "site_1", data: {} };
    events[2] = { event: "order.created", project_id: "site_1", data: { ...order("ord_2"), total: "free" } };
    events[3] = "nothing";
    const { status, rows } = await world.host("POST /host/v1/events", events);
    expect([status, rows.length]).toEqual([200, 1_000]);
    expect(rows.slice(0, 5)).toMatchObject([
      { id: "order.created_ord_0", duplicate: false },
      { error: { code: "unknown_event" } },
      {
        error: {
          code: "validation_failed",
          message: expect.stringMatching(/^data\.total: must be a number/),
        },
      },
      { error: { code: "validation_failed" } },
      { id: "order.created_ord_4" },
    ]);
    const received = await world.deliveries(997, secret);
    expect(new Set(received.map(({ headers }) => headers["x-service-delivery"])).size).toBe(997);
    expect((await world.host("POST /host/v1/events", [...events, {}])).status).toBe(422);
    expect(await world.host("POST /host/v1/events", [])).toMatchObject({ status: 200, rows: [] });
    expect((await world.host("POST /host/v1/events", events[1])).error?.code).toBe("unknown_event");
  });

  it("deletes business records of every kind, and a second delete gets 404", async () => {
    await using world = await openWorld(storage);
    await world.publishEvent("order.paid", order("ord_1"));
    const remove = (kind: string) => world.host(`DELETE /host/v1/accounts/acc_1/records/${kind}/ord_1`);
    expect((await remove("bookings")).status).toBe(404);
    expect((await remove("orders")).status).toBe(200);
    expect((await remove("orders")).error?.code).toBe("resource_not_found");
    expect((await remove("invoices")).error?.code).toBe("resource_not_found");
    expect((await world.ask("GET /v1/orders/ord_1")).status).toBe(404);
  });
});
