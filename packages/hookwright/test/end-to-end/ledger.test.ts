import { describe, expect, it } from "vitest";
import { openConsole } from "./support/open-console.ts";
import { order } from "./support/records.ts";
import { storages } from "./support/storages.ts";

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
