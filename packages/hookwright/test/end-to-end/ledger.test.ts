import { setImmediate as nextTurn } from "node:timers/promises";
import { partitionOf } from "@hookwright/storage";
import { describe, expect, it } from "vitest";
import { foldLedger } from "../../../delivery/src/ledger/fold-ledger.ts";
import { openConsole } from "./support/open-console.ts";
import { order } from "./support/records.ts";
import { everyStorage, storages } from "./support/storages.ts";

interface Numbers {
  readonly due: number;
  readonly delivered: number;
  readonly pending: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly not_sent: number;
}
const none = { due: 0, delivered: 0, pending: 0, failed: 0, cancelled: 0, not_sent: 0 };

function sumOf(all: readonly Numbers[]): Numbers {
  return all.reduce<Numbers>(
    (sum, each) => ({
      due: sum.due + each.due,
      delivered: sum.delivered + each.delivered,
      pending: sum.pending + each.pending,
      failed: sum.failed + each.failed,
      cancelled: sum.cancelled + each.cancelled,
      not_sent: sum.not_sent + each.not_sent,
    }),
    none,
  );
}

function only(numbers: Numbers): Numbers {
  return sumOf([numbers]);
}

describe.each(storages)("on $name, the ledger", (storage) => {
  it("adds up over steps, webhooks, sites and events, and is the same for the host", async () => {
    await using world = await openConsole(storage);
    const { webhookId, receiver } = world;
    const ledger = async (query: string) =>
      JSON.parse((await world.console(`GET /console/api/ledger?${query}`)).text).data;
    const other = await world.subscribe("order.created", "/other");
    await world.deliver("ord_1", "ord_2");
    receiver.answerWith(500);
    await world.deliver("ord_3");
    receiver.answerWith(204);
    await world.console(`POST /console/api/webhooks/${webhookId}/pause`);
    await world.deliver("ord_4", "ord_5", "ord_6");
    await world.publishEvent("order.created", order("ord_7"), "site_2");
    await expect.poll(async () => only((await ledger("")).totals).pending).toBe(0);
    await world.console(`POST /console/api/webhooks/${other.id}/test`);

    const all = await ledger("by=webhook");
    expect(only(all.totals)).toEqual({ ...none, due: 14, delivered: 8, failed: 2, not_sent: 4 });
    expect(sumOf(all.series)).toEqual(only(all.totals));
    expect(all.webhooks.map(({ webhook_id }: { readonly webhook_id: string }) => webhook_id)).toEqual([
      webhookId,
      other.id,
    ]);
    expect(sumOf(all.webhooks)).toEqual(only(all.totals));
    for (const { webhook_id, ...numbers } of all.webhooks)
      expect(only((await ledger(`webhook_id=${webhook_id}`)).totals)).toEqual(only(numbers));
    const sites = await Promise.all(["site_1", "site_2"].map((id) => ledger(`project_id=${id}`)));
    expect(sites.map(({ totals }) => totals.due)).toEqual([12, 2]);
    expect(sumOf(sites.map(({ totals }) => totals))).toEqual(only(all.totals));
    expect(only((await ledger("event=order.created")).totals)).toEqual(only(all.totals));
    expect(only((await ledger("event=order.paid")).totals)).toEqual(none);
    const {
      period: _,
      attention: _attention,
      ...overview
    } = JSON.parse((await world.console("GET /console/api/overview?period=24h")).text).data;
    expect(only(overview.totals)).toEqual(only(all.totals));
    const host = await world.host("GET /host/v1/accounts/acc_1/ledger?by=webhook");
    expect(JSON.parse(host.text).data.totals).toEqual(all.totals);
    expect((await world.host("GET /host/v1/accounts/acc_none/ledger")).status).toBe(404);
  });
});

describe.each(everyStorage)("on $name, the ledger", (storage) => {
  it("loses and doubles nothing if it is folded while events are published and results are recorded", async () => {
    await using world = await openConsole(storage);
    const accountId = "acc_1";
    let isDone = false;
    let folds = 0;
    const folding = (async () => {
      while (!isDone) {
        const now = Date.now() + 120_000;
        const onUnreadable = (): void => expect.unreachable();
        const options = { accountId, before: now, now, limit: 500, onUnreadable };
        if ((await foldLedger(world.store, options)) === "done") folds += 1;
        await nextTurn();
      }
    })();
    const ids = Array.from({ length: 60 }, (_, index) => `ord_${index}`);
    const read = async () => {
      const { totals } = JSON.parse((await world.console("GET /console/api/ledger")).text).data;
      return only(totals);
    };
    try {
      for (let first = 0; first < ids.length; first += 10)
        await world.publish(...ids.slice(first, first + 10));
      await expect.poll(read).toEqual({ ...none, due: 60, delivered: 60 });
    } finally {
      isDone = true;
      await folding;
    }
    expect(folds).toBeGreaterThan(1);
    expect(await read()).toEqual({ ...none, due: 60, delivered: 60 });
  });
});

const [memory] = storages;
if (memory === undefined) throw new Error("there is no storage");

it("a request for the ledger is moved to whole steps, which the response names, or refused with a reason", async () => {
  await using world = await openConsole(memory);
  const ask = (query: string) => world.console(`GET /console/api/ledger?${query}`);
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const rangeOf = async (query: string) => {
    const { since, until, step_seconds, series } = JSON.parse((await ask(query)).text).data;
    const [first, end] = [Date.parse(since) / 1_000, Date.parse(until) / 1_000];
    expect([first % step_seconds, end % step_seconds]).toEqual([0, 0]);
    expect(series).toHaveLength((end - first) / step_seconds);
    expect(series[0].at).toBe(since);
    return step_seconds;
  };
  expect(await rangeOf("")).toBe(900);
  expect(await rangeOf("step=7200")).toBe(7_200);
  // Minutes are kept for two hours.
  expect(await rangeOf(`since=${at(1)}&step=60`)).toBe(60);
  expect(await rangeOf(`since=${at(3)}&step=60`)).toBe(900);
  expect(await rangeOf(`since=${at(30 * 24)}&step=60`)).toBe(21_600);
  const messages = {
    [`since=${at(32 * 24)}`]: "since: must be within the last 31 days, because older numbers are not kept",
    [`since=${at(-1)}&until=${at(-2)}`]: "since: must not be in the future",
    [`since=${at(1)}&until=${at(2)}`]: "until: must be later than since",
    "since=yesterday": "since: A timestamp must be an ISO 8601 date-time",
    "step=90": "step: must be whole minutes in seconds, from 60 to 86400",
    "step=172800": "step: must be whole minutes in seconds, from 60 to 86400",
    "by=site": "by: must be one of webhook",
    "project_id=site_none": "project_id: is not one of the account's sites",
  };
  for (const [query, message] of Object.entries(messages)) {
    const { status, error } = await ask(query);
    expect([query, status, error?.code]).toEqual([query, 422, "validation_failed"]);
    expect(error?.message).toContain(message);
  }
});

it("the host lists the accounts with events by what was not delivered, failed or is due, page by page", async () => {
  await using world = await openConsole(memory);
  const { hookwright, receiver, store } = world;
  const accounts = ["acc_1", "acc_2", "acc_3"];
  for (const id of ["acc_2", "acc_3"]) {
    await hookwright.accounts.put(id, { email: `${id}@example.com` });
    await hookwright.projects.put(`site_of_${id}`, { account_id: id, name: "Shop" });
    await hookwright.webhooks.create(
      { accountId: id, credential: { type: "console" } },
      { event: "order.created", target_url: `${receiver.origin}/${id}` },
    );
  }
  const isSettled = async () => {
    const ledgers = await Promise.all(accounts.map((id) => hookwright.accounts.ledger(id)));
    return ledgers.every(({ totals }) => totals.pending === 0);
  };
  await world.publish("ord_1", "ord_2", "ord_3", "ord_4");
  await expect.poll(isSettled).toBe(true);
  receiver.answerWith(500);
  for (const [id, record] of [
    ["acc_2", "ord_20"],
    ["acc_3", "ord_30"],
    ["acc_3", "ord_31"],
  ] as const)
    await world.publishEvent("order.created", order(record), `site_of_${id}`);
  await expect.poll(isSettled).toBe(true);
  await hookwright.accounts.put("acc_quiet", { email: "quiet@example.com" });
  const list = async (query: string) => {
    const { rows, meta } = await world.host(`GET /host/v1/accounts?${query}`);
    return { ids: rows.map(({ id }) => id), meta };
  };
  // What is not folded yet is counted too.
  expect((await list("sort=volume&period=7d")).ids).toEqual(["acc_1", "acc_3", "acc_2"]);
  const lastHour = await hookwright.accounts.list({ sort: "volume", period: "1h" });
  expect(lastHour.rows.map(({ ledger }) => ledger?.due)).toEqual([4, 2, 1]);
  // A damaged row of totals only keeps its account from its place.
  const key = [partitionOf("acc_none"), "ledger-totals", "acc_none"] as const;
  await store.commit(partitionOf("acc_none"), { mutations: [{ type: "set", key, value: "{" }] });
  for (const accountId of accounts) {
    const now = Date.now() + 120_000;
    expect(
      await foldLedger(store, {
        accountId,
        before: now,
        now,
        limit: 500,
        onUnreadable(error) {
          throw error;
        },
      }),
    ).toBe("done");
  }
  expect((await list("sort=not_delivered")).ids).toEqual(["acc_3", "acc_2", "acc_1"]);
  expect((await list("sort=failed&q=ACC_2")).ids).toEqual(["acc_2"]);
  expect((await list("sort=volume&status=suspended")).ids).toEqual([]);
  const first = await list("sort=volume&limit=2");
  expect(first.ids).toEqual(["acc_1", "acc_3"]);
  expect((await list(`sort=volume&limit=2&cursor=${first.meta.next_cursor}`)).ids).toEqual(["acc_2"]);
  const { rows } = await hookwright.accounts.list({ sort: "failed", period: "24h" });
  for (const { id, ledger } of rows)
    expect((await hookwright.accounts.ledger(id)).totals).toMatchObject(ledger ?? {});
  expect(rows[0]?.ledger).toEqual({ ...none, due: 2, failed: 2 });
  expect((await hookwright.stats()).events).toEqual({ ...none, due: 7, delivered: 4, failed: 3 });
  const wrong = await world.host("GET /host/v1/accounts?sort=name");
  expect(wrong).toMatchObject({ status: 422, error: { code: "validation_failed" } });
});
