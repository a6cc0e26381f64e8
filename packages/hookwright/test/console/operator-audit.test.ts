import { expect, it } from "vitest";
import { openConsole } from "../support/open-console.ts";

const hostToken = "support:manage+read:t0ken of the staff,sync:publish:t0ken of the sync";

async function open() {
  const world = await openConsole({ hostToken });
  const call = (target: string, token = "t0ken of the staff", json?: unknown): Promise<Response> => {
    const [method = "GET", path = "/"] = target.split(" ", 2);
    return world.hookwright.fetch(
      new Request(`http://localhost/host/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: json === undefined ? null : JSON.stringify(json),
      }),
    );
  };
  return Object.assign(world, { call });
}

it("the host saves what the filters of the audit log match as CSV or NDJSON, over all pages", async () => {
  await using world = await open();
  const webhook = await world.createWebhook();
  for (let time = 0; time < 60; time++) {
    await world.call(`POST webhooks/${webhook.id}/pause`);
    await world.call(`POST webhooks/${webhook.id}/resume`);
  }
  const csv = await world.call("GET audit/export?action=webhook.paused&actor=support&account_id=acc_1");
  expect(csv.headers.get("content-disposition")).toBe('attachment; filename="audit.csv"');
  const [heading, row, ...others] = (await csv.text()).trimEnd().split("\r\n");
  expect(heading).toBe(
    "id,at,action,account_id,target_kind,target_id,changed,changes,actor_kind,actor_id,actor_name,request_id",
  );
  expect(row).toMatch(
    new RegExp(
      `,webhook\\.paused,acc_1,webhook,${webhook.id},status,status: active → paused,host,,support,`,
      "u",
    ),
  );
  expect(others).toHaveLength(59);
  const lines = (await (await world.call("GET audit/export?format=ndjson&actor=support")).text()).trimEnd();
  expect(lines.split("\n")).toHaveLength(120);
  expect(JSON.parse(lines.split("\n")[0] ?? "")).toMatchObject({
    account_name: expect.any(String),
    changes: [{ field: "status", old: "paused", new: "active" }],
  });
  expect((await world.call("GET audit/export?format=xml")).status).toBe(422);
  expect((await world.call("GET audit/export", "t0ken of the sync")).status).toBe(403);
});

it("the audit log has the events and the URL of a webhook that was created, changed or deleted", async () => {
  await using world = await open();
  const { id } = await world.createWebhook();
  await world.ask(`PATCH /console/api/webhooks/${id}`, { events: ["order.created", "order.paid"] });
  await world.ask(`DELETE /console/api/webhooks/${id}`);
  const { data } = JSON.parse(await (await world.call("GET audit?limit=3")).text());
  const [one, several, url] = ["review.submitted", "order.created, order.paid", `${world.origin}/hooks`];
  expect(data).toMatchObject([
    {
      action: "webhook.deleted",
      changes: [
        { field: "events", old: several, new: null },
        { field: "target_url", old: url, new: null },
      ],
    },
    { action: "webhook.updated", changes: [{ field: "events", old: one, new: several }] },
    {
      action: "webhook.created",
      changes: [
        { field: "events", old: null, new: one },
        { field: "target_url", old: null, new: url },
      ],
    },
  ]);
});

it("the host lists the webhooks of one account, newest first, by status and in pages", async () => {
  await using world = await open();
  const ids: string[] = [];
  for (const path of ["/a", "/b", "/c"]) ids.unshift((await world.createWebhook(path)).id);
  await world.hookwright.accounts.put("acc_2", { email: "two@example.com" });
  await world.call(`POST webhooks/${ids[1]}/pause`);
  const list = async (query: string) => {
    const { data, meta, error } = JSON.parse(await (await world.call(`GET webhooks?${query}`)).text());
    return { ids: data?.map(({ id }: { readonly id: string }) => id), meta, error };
  };
  expect((await list("account_id=acc_1")).ids).toEqual(ids);
  expect((await list("account_id=acc_1&status=paused")).ids).toEqual([ids[1]]);
  expect((await list("account_id=acc_2")).ids).toEqual([]);
  const first = await list("account_id=acc_1&limit=2");
  expect(first.ids).toEqual(ids.slice(0, 2));
  expect((await list(`account_id=acc_1&limit=2&cursor=${first.meta.next_cursor}`)).ids).toEqual([ids[2]]);
  expect((await list("account_id=acc_1&sort=waiting")).error.code).toBe("validation_failed");
});
