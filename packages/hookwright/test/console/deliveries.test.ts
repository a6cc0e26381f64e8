import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import type { AccountInput } from "../../src/index.ts";
import { openConsole } from "../support/open-console.ts";
import type { World } from "../support/open-console.ts";

/** Two webhooks, one of them for one site, and deliveries of several kinds and states. */
async function openLog(): Promise<World> {
  const world = await openConsole({ retryDelaysSeconds: [3_600] });
  const { path } = await world.createWebhook("/all");
  await world.createWebhook("/blog", { project_id: "site_2" });
  for (const [number, status] of [204, 500, 204, 410].entries()) {
    world.answerWith(status === 410 ? 204 : status);
    await world.publish(`rev_${number}`, number % 2 === 0 ? "site_1" : "site_2");
    await world.settled();
  }
  world.answerWith(204);
  await world.ask(`POST ${path}/test`);
  const { rows } = await world.ask("GET /console/api/deliveries?status=delivered&kind=event&limit=1");
  await world.ask(`POST /console/api/deliveries/${String(rows[0]?.["id"])}/resend`);
  await expect
    .poll(async () => (await world.ask("GET /console/api/deliveries?kind=resend&status=delivered")).rows)
    .toHaveLength(1);
  return world;
}

const filters = {
  webhook_id: (row: Row) => row["webhook_id"],
  event: (row: Row) => row["event"],
  status: (row: Row) => row["status"],
  project_id: (row: Row) => row["project_id"],
  kind: (row: Row) => row["kind"],
} as const;
type Row = Readonly<Record<string, unknown>>;

async function readPages(world: World, query: string): Promise<Row[]> {
  const found: Row[] = [];
  let cursor = "";
  do {
    const page = await world.ask(`GET /console/api/deliveries?${query}${cursor}`);
    expect(page.status).toBe(200);
    found.push(...page.rows);
    // A page without progress would make this loop endless.
    expect(found.length).toBeLessThan(100);
    cursor = page.meta.next_cursor === null ? "" : `&cursor=${page.meta.next_cursor}`;
    expect(page.meta.has_more).toBe(cursor !== "");
  } while (cursor !== "");
  return found;
}

/** A value that matches nothing. Other filters refuse it. */
function unknownValues(filter: string): readonly string[] {
  return ["project_id", "status", "kind"].includes(filter) ? [] : ["unknown"];
}

describe("the delivery log", () => {
  it("every combination of filters gives the same pages as filtering the whole log", async () => {
    await using world = await openLog();
    const all = (await world.ask("GET /console/api/deliveries?limit=100")).rows;
    expect(all).toHaveLength(8);
    expect(all.map((row) => row["id"])).toEqual(
      all
        .map((row) => row["id"])
        .toSorted()
        .toReversed(),
    );
    const values = Object.entries(filters).map(
      ([name, read]) =>
        [name, [...unknownValues(name), undefined, ...new Set(all.map((row) => String(read(row))))]] as const,
    );
    const combinations = values.reduce<Record<string, string | undefined>[]>(
      (made, [name, options]) => made.flatMap((one) => options.map((value) => ({ ...one, [name]: value }))),
      [{}],
    );
    expect(combinations.length).toBeGreaterThan(200);
    for (const combination of combinations) {
      const query = Object.entries(combination)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `&${name}=${value}`)
        .join("");
      const expected = all.filter((row) =>
        Object.entries(filters).every(([name, read]) => (combination[name] ?? read(row)) === read(row)),
      );
      expect([query, await readPages(world, `limit=2${query}`)]).toEqual([query, expected]);
    }
  });

  it("finds a delivery id, body id or record id, and what begins like it", async () => {
    await using world = await openLog();
    const all = (await world.ask("GET /console/api/deliveries?limit=100")).rows;
    for (const field of ["id", "body_id", "record_id"]) {
      for (const value of new Set(all.map((row) => String(row[field])))) {
        const expected = all.filter((row) => row[field] === value);
        for (const limit of [1, 100])
          expect([value, await readPages(world, `q=${value}&limit=${limit}`)]).toEqual([value, expected]);
      }
    }
    for (const [field, text] of [
      ["record_id", "rev"],
      ["record_id", "REV_"],
      ["record_id", "test_"],
      ["body_id", "Review.Submitted_r"],
      ["id", "dlv_"],
    ] as const) {
      const expected = all.filter((row) => String(row[field]).startsWith(text.toLowerCase()));
      expect([text, await readPages(world, `q=${text}&limit=2`)]).toEqual([text, expected]);
    }
    for (const text of ["ev_0", "review.submitted_", "dlv_unknown", "x".repeat(2_000)]) {
      expect((await world.ask(`GET /console/api/deliveries?q=${encodeURIComponent(text)}`)).rows).toEqual([]);
    }
    const noWebhook = `webhook_id=${"x".repeat(2_000)}`;
    for (const others of [
      "",
      "&event=review.submitted",
      "&event=review.submitted&project_id=site_1&status=failed&kind=event",
    ]) {
      const ofNoWebhook = await world.ask(`GET /console/api/deliveries?${noWebhook}${others}`);
      expect([others, ofNoWebhook.status, ofNoWebhook.rows]).toEqual([others, 200, []]);
    }
  });

  it("an id together with other filters must match all of them", async () => {
    await using world = await openLog();
    const all = (await world.ask("GET /console/api/deliveries?limit=100")).rows;
    for (const [name, read] of Object.entries(filters)) {
      for (const value of new Set([...unknownValues(name), ...all.map((row) => String(read(row)))])) {
        for (const field of ["id", "record_id"]) {
          for (const id of new Set(all.map((row) => String(row[field])))) {
            const query = `q=${id}&${name}=${value}`;
            const expected = all.filter((row) => row[field] === id && read(row) === value);
            expect([query, await readPages(world, query)]).toEqual([query, expected]);
          }
        }
      }
    }
  });

  it.each(["site_unknown", "x".repeat(2_000)])(
    "a site that is not the account's is refused",
    async (site) => {
      await using world = await openLog();
      const answer = await world.ask(`GET /console/api/deliveries?project_id=${site}`);
      expect([answer.status, answer.code]).toEqual([422, "validation_failed"]);
    },
  );

  it("finds the deliveries of a deleted record", async () => {
    await using world = await openLog();
    await world.hookwright.records.remove("acc_1", "reviews", "rev_0");
    expect((await world.ask("GET /console/api/deliveries?q=rev_0")).rows).toHaveLength(1);
  });

  it("refuses a cursor of other filters", async () => {
    await using world = await openLog();
    const { meta } = await world.ask("GET /console/api/deliveries?limit=1");
    const other = await world.ask(
      `GET /console/api/deliveries?limit=1&kind=event&cursor=${meta.next_cursor}`,
    );
    expect([other.status, other.code]).toEqual([400, "invalid_cursor"]);
  });

  it("lists deliveries without an attempt as pending, while no process delivers", async () => {
    await using world = await openConsole({ role: "api" });
    await world.createWebhook();
    const ids: string[] = [];
    for (let number = 0; number < 7; number++) {
      ids.push(...(await world.publish(`rev_${number}`, number % 2 === 0 ? "site_1" : "site_2")));
    }
    const all = await world.ask("GET /console/api/deliveries?status=pending");
    expect(all.rows.map((row) => row["id"])).toEqual(ids.toReversed());
    expect(all.rows[0]).toMatchObject({ attempts_made: 0, completed_at: null });
    // The queue has no index by site. Pages may be short, but no delivery is missing.
    const ofSite = await readPages(world, "project_id=site_2&limit=1");
    expect(ofSite.map((row) => row["record_id"])).toEqual(["rev_5", "rev_3", "rev_1"]);
  });

  it("shows only deliveries of the account", async () => {
    await using world = await openLog();
    const { hookwright } = world;
    const [row] = (await world.ask("GET /console/api/deliveries")).rows;
    await hookwright.accounts.put("acc_2", { email: "second@example.com" });
    expect((await hookwright.deliveries.list("acc_2", {}, { limit: 10 })).rows).toEqual([]);
    expect(
      (await hookwright.deliveries.list("acc_2", { q: String(row?.["id"]) }, { limit: 10 })).rows,
    ).toEqual([]);
    await expect(hookwright.deliveries.get("acc_2", String(row?.["id"]))).rejects.toMatchObject({
      code: "resource_not_found",
    });
  });
});

describe("a delivery", () => {
  it("shows every attempt with its request, its response and the time of the next attempt", async () => {
    await using world = await openConsole({ retryDelaysSeconds: [0.05, 3_600] });
    await world.createWebhook();
    world.answerWith(503);
    const [id] = await world.publish("rev_1");
    await expect
      .poll(async () => (await world.ask(`GET /console/api/deliveries/${id}`)).data["attempts_made"])
      .toBe(2);
    const { data } = await world.ask(`GET /console/api/deliveries/${id}`);
    const body = String(world.received[0]?.body);
    const attempt = {
      status: 503,
      error: "status",
      detail: "The endpoint answered 503.",
      excerpt: "",
      request: { body, headers: { "X-Service-Event": "review.submitted", "X-Service-Delivery": id } },
      next_attempt_at: expect.any(String),
    };
    expect(data).toMatchObject({
      id,
      status: "pending",
      body_id: "review.submitted_rev_1",
      next_attempt_at: expect.any(String),
      attempts: [
        { ...attempt, number: 1 },
        { ...attempt, number: 2 },
      ],
    });
    expect(JSON.stringify(data)).not.toContain("whsec_");
  });

  it("without a response shows the reason", async () => {
    await using world = await openConsole({ retryDelaysSeconds: [] });
    const { path } = await world.createWebhook("http://127.0.0.1:1/");
    const { data } = await world.ask(`POST ${path}/test`);
    expect(data).toMatchObject({
      status: null,
      headers: null,
      excerpt: null,
      error: "connect",
      detail: "Connection refused by 127.0.0.1:1.",
    });
  });

  it("to a port that is no longer allowed is blocked, and shows the reason", async () => {
    const store = memoryStore();
    const options = { store, privateTargets: false };
    const target_url = "https://hooks.example.com:25/";
    const webhook = { event: "review.submitted", target_url };
    let id: string;
    {
      await using before = await openConsole({ ...options, allowedTargetPorts: [25] });
      const created = await before.ask("POST /console/api/webhooks", webhook);
      expect(created.status).toBe(201);
      id = String(created.data["id"]);
    }
    await using after = await openConsole(options);
    const { data } = await after.ask(`POST /console/api/webhooks/${id}/test`);
    expect(data).toMatchObject({
      status: null,
      error: "blocked_address",
      detail:
        "The webhook's URL must not use port 25; allowed ports are 443, 8443, 1024 to 65535. Nothing was sent.",
    });
    expect((await after.ask("POST /console/api/webhooks", webhook)).code).toBe("invalid_target_url");
  });

  it("is resent as a new delivery with the same body id and the current record", async () => {
    await using world = await openConsole();
    await world.createWebhook();
    const [id] = await world.publish("rev_1");
    await world.settled();
    const resent = await world.ask(`POST /console/api/deliveries/${id}/resend`);
    expect([resent.status, resent.data]).toMatchObject([
      201,
      { kind: "resend", status: "pending", body_id: "review.submitted_rev_1", attempts_made: 0 },
    ]);
    expect(resent.data["id"]).not.toBe(id);
    await expect.poll(() => world.received.length).toBe(2);
    const [first, second] = world.received;
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers["x-service-delivery"]).toBe(resent.data["id"]);
  });

  it("is not resent if its webhook is not active or its record was deleted", async () => {
    await using world = await openConsole();
    const { path: webhook } = await world.createWebhook();
    const [id] = await world.publish("rev_1");
    await world.settled();
    const resend = async () => {
      const { status, code } = await world.ask(`POST /console/api/deliveries/${id}/resend`);
      return [status, code];
    };
    await world.ask(`POST ${webhook}/pause`);
    expect(await resend()).toEqual([409, "invalid_state"]);
    await world.ask(`POST ${webhook}/resume`);
    await world.hookwright.records.remove("acc_1", "reviews", "rev_1");
    expect(await resend()).toEqual([404, "resource_not_found"]);
    await world.ask(`DELETE ${webhook}`);
    expect(await resend()).toEqual([409, "invalid_state"]);
    expect((await world.ask("POST /console/api/deliveries/dlv_unknown/resend")).code).toBe(
      "resource_not_found",
    );
    expect(world.received).toHaveLength(1);
  });
});

describe("a resend", () => {
  it.each<[string, AccountInput, AccountInput, string]>([
    ["is suspended", { status: "suspended" }, { status: "active" }, "account_unavailable"],
    [
      "has a plan without integrations",
      { plan: { integrations: false } },
      { plan: { integrations: true } },
      "plan_required",
    ],
    [
      "is suspended and has a plan without integrations",
      { status: "suspended", plan: { integrations: false } },
      { status: "active", plan: { integrations: true } },
      "account_unavailable",
    ],
  ])("is refused while the account %s, also through the host functions", async (_, resting, back, code) => {
    await using world = await openConsole();
    const { hookwright } = world;
    const webhook = await world.createWebhook();
    const [id = ""] = await world.publish("rev_1");
    await world.settled();
    await hookwright.accounts.put("acc_1", resting);
    await expect(hookwright.webhooks.sendTest("acc_1", webhook.id)).rejects.toMatchObject({ code });
    await expect(hookwright.deliveries.resend("acc_1", id)).rejects.toMatchObject({ code, status: 403 });
    await expect(hookwright.deliveries.resend("acc_1", "dlv_unknown")).rejects.toMatchObject({ code });
    expect((await world.ask(`POST /console/api/deliveries/${id}/resend`)).code).toBe(code);
    expect((await hookwright.deliveries.list("acc_1", { kind: "resend" }, { limit: 10 })).rows).toEqual([]);
    await hookwright.accounts.put("acc_1", back);
    expect(await hookwright.deliveries.resend("acc_1", id)).toMatchObject({ kind: "resend" });
    await expect.poll(() => world.received.length).toBe(2);
  });

  it("is refused for an unknown account", async () => {
    await using world = await openConsole();
    await expect(world.hookwright.deliveries.resend("acc_unknown", "dlv_1")).rejects.toMatchObject({
      code: "resource_not_found",
    });
  });
});

it("a delivery has the other deliveries of its event: its resends, tests of it, and those of other webhooks", async () => {
  await using world = await openConsole();
  const { id, path } = await world.createWebhook("/hook", { name: "Warehouse" });
  const other = await world.createWebhook("/other");
  await world.publish("rev_1");
  // Its id only begins the same.
  await world.publish("rev_10");
  await world.settled();
  const { rows } = await world.ask(`GET /console/api/deliveries?webhook_id=${id}&q=rev_1`);
  const first = String(rows.find((row) => row["record_id"] === "rev_1")?.["id"]);
  const resent = await world.ask(`POST /console/api/deliveries/${first}/resend`);
  await world.ask(`POST ${path}/test`, { delivery_id: first });
  const relatedTo = async (delivery: string) =>
    (await world.ask(`GET /console/api/deliveries/${delivery}/related`)).rows;
  expect(await relatedTo(first)).toMatchObject([
    { kind: "test", webhook_id: id, webhook_name: "Warehouse", last_status: 204 },
    { kind: "resend", id: resent.data["id"], resent_from: first, webhook_name: "Warehouse" },
    { kind: "event", webhook_id: other.id, webhook_name: null, record_id: "rev_1" },
  ]);
  const before = (await relatedTo(String(resent.data["id"]))).map((row) => row["id"]);
  expect(before).toContain(first);
  await world.hookwright.records.remove("acc_1", "reviews", "rev_1");
  expect((await relatedTo(String(resent.data["id"]))).map((row) => row["id"])).toEqual(before);
  expect((await world.ask("GET /console/api/deliveries/dlv_none/related")).code).toBe("resource_not_found");
});
