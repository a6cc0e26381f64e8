import { describe, expect, it } from "vitest";
import { openSession } from "../support/open-session.ts";
import { openConsole } from "./support/open-console.ts";
import type { World } from "./support/open-world.ts";
import { memory } from "./support/storages.ts";

const steps = { "1h": [60, 60], "24h": [900, 96], "7d": [3_600, 168], "30d": [21_600, 120] } as const;
type Period = keyof typeof steps;
const periods: readonly Period[] = ["1h", "24h", "7d", "30d"];

interface Point {
  readonly at: string;
  readonly delivered: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly attempts: number;
  readonly p50_ms: number | null;
}

/** Deliveries have two attempts. */
async function openOverview() {
  const world = await openConsole(memory, { retryDelaysSeconds: [0.05] });
  const overview = async (query: string) =>
    JSON.parse((await world.console(`GET /console/api/overview?${query}`)).text).data;
  return Object.assign(world, { overview });
}

/** The same counts from the delivery log. */
async function countLog({ hookwright }: World) {
  const { rows: counted } = await hookwright.deliveries.list("acc_1", { kind: "event" }, { limit: 100 });
  const withStatus = (wanted: string) => counted.filter(({ status }) => status === wanted).length;
  return {
    delivered: withStatus("delivered"),
    failed: withStatus("failed"),
    cancelled: withStatus("cancelled"),
    attempts: counted.reduce((sum, { attempts_made }) => sum + attempts_made, 0),
  };
}

function sumOf(series: readonly Point[]) {
  const sum = (name: "delivered" | "failed" | "cancelled" | "attempts") =>
    series.reduce((total, point) => total + point[name], 0);
  return {
    delivered: sum("delivered"),
    failed: sum("failed"),
    cancelled: sum("cancelled"),
    attempts: sum("attempts"),
  };
}

describe("the overview", () => {
  it("agrees with the delivery log in every period, and counts no tests", async () => {
    await using world = await openOverview();
    const { webhookId, receiver } = world;
    await world.deliver("ord_1", "ord_2", "ord_3");
    receiver.answerWith(500);
    await world.deliver("ord_4", "ord_5");
    receiver.answerWith(204);
    await world.console(`POST /console/api/webhooks/${webhookId}/test`);
    const log = await countLog(world);
    expect(log).toEqual({ delivered: 3, failed: 2, cancelled: 0, attempts: 7 });
    for (const period of periods) {
      const [stepSeconds, length] = steps[period];
      for (const filter of ["", `&webhook_id=${webhookId}`]) {
        const { series, totals, since, until, ...rest } = await world.overview(`period=${period}${filter}`);
        expect(rest).toEqual({ period, step_seconds: stepSeconds, attention: [] });
        expect(series).toHaveLength(length);
        const times = series.map(({ at }: Point) => Date.parse(at) / 1_000);
        expect(times.every((at: number) => at % stepSeconds === 0)).toBe(true);
        expect(times.at(-1) - times[0]).toBe((length - 1) * stepSeconds);
        expect([series[0].at, Date.parse(until) - Date.parse(since)]).toEqual([
          since,
          length * stepSeconds * 1_000,
        ]);
        expect(sumOf(series)).toEqual(log);
        const { attempts: _, ...ended } = log;
        expect(totals).toMatchObject({ ...ended, due: 5, pending: 0, success_rate: 3 / 5 });
        expect(totals.p95_ms).toBeGreaterThanOrEqual(totals.p50_ms);
        expect(series[0]).toMatchObject({ attempts: 0, p50_ms: null, p95_ms: null });
      }
    }
    const idle = await world.subscribe("booking.created");
    const { totals } = await world.overview(`webhook_id=${idle.id}`);
    expect(totals).toEqual({
      due: 0,
      delivered: 0,
      pending: 0,
      failed: 0,
      cancelled: 0,
      not_sent: 0,
      retried: 0,
      first_try_rate: null,
      success_rate: null,
      p50_ms: null,
      p95_ms: null,
      p99_ms: null,
      max_ms: null,
    });
  });

  it("agrees with the counts and the rows of the deliveries, also after resends", async () => {
    await using world = await openOverview();
    const { webhookId, hookwright, receiver } = world;
    const [accepted = ""] = await world.deliver("ord_1");
    receiver.answerWith(500);
    const [first = "", second = ""] = await world.deliver("ord_2", "ord_3");
    const resend = async (id: string) => {
      const resent = await hookwright.deliveries.resend("acc_1", id);
      const status = async () => (await hookwright.deliveries.get("acc_1", resent.id)).status;
      await expect.poll(status).not.toBe("pending");
      return resent.id;
    };
    const failed = await resend(first);
    receiver.answerWith(204);
    await resend(failed);
    await resend(accepted);
    await world.console(`POST /console/api/webhooks/${webhookId}/test`);
    const counts = { all: 3, delivered: 2, pending: 0, failed: 1, cancelled: 0 };
    const { all: due, ...outcomes } = counts;
    for (const filter of ["", `webhook_id=${webhookId}&`, "project_id=site_1&"]) {
      const { totals } = await world.overview(filter);
      expect(totals).toMatchObject({ due, ...outcomes, not_sent: 0, success_rate: 2 / 3 });
      for (const since of ["", "since=2020-01-01T00:00:00Z&"])
        expect((await world.console(`GET /console/api/deliveries/counts?${filter}${since}`)).data).toEqual(
          counts,
        );
      const rows = async (outcome: string) =>
        (await world.console(`GET /console/api/deliveries?${filter}outcome=${outcome}`)).rows.map(
          ({ id }) => id,
        );
      expect(await rows("delivered")).toEqual([first, accepted]);
      expect(await rows("failed")).toEqual([second]);
      expect(await rows("pending")).toEqual([]);
    }
    const failedRows = { all: 3, delivered: 0, pending: 0, failed: 3, cancelled: 0 };
    expect((await world.console("GET /console/api/deliveries/counts?status=failed")).data).toEqual(
      failedRows,
    );
    const wrong = await world.console("GET /console/api/deliveries?outcome=lost");
    expect(wrong).toMatchObject({ status: 422, error: { code: "validation_failed" } });
  });

  it("counts the events of each site, also of webhooks for all sites and of removed ones: they add up", async () => {
    await using world = await openOverview();
    const { hookwright } = world;
    await hookwright.projects.put("site_2", { account_id: "acc_1", name: "Blog" });
    const create = async (project_id: string) => {
      const target_url = `${world.receiver.origin}/${project_id}`;
      const body = { event: "order.created", target_url, project_id };
      return JSON.parse((await world.console("POST /console/api/webhooks", body)).text).data.id;
    };
    const [first, second] = [await create("site_1"), await create("site_2")];
    await world.deliver("ord_1", "ord_2");
    await world.console(`POST /console/api/webhooks/${second}/pause`);
    const data = { id: "ord_3", total: 1 };
    await hookwright.publish({ event: "order.created", project_id: "site_2", data });
    const totals = async (query: string) => (await world.overview(query)).totals;
    await expect.poll(() => totals("project_id=site_2")).toMatchObject({ due: 2, delivered: 1, not_sent: 1 });
    expect(await totals("project_id=site_1")).toMatchObject({ due: 4, delivered: 4, not_sent: 0 });
    expect(await totals("")).toMatchObject({ due: 6, delivered: 5, not_sent: 1, success_rate: 5 / 6 });
    expect(await totals(`project_id=site_2&webhook_id=${world.webhookId}`)).toMatchObject({ due: 1 });
    expect(await totals(`project_id=site_1&webhook_id=${second}`)).toMatchObject({ due: 0 });
    await world.console(`POST /console/api/webhooks/${world.webhookId}/pause`);
    const { attention } = await world.overview("project_id=site_1");
    expect(attention).toMatchObject([{ kind: "webhook_paused", webhook_id: world.webhookId }]);
    await world.console(`DELETE /console/api/webhooks/${first}`);
    expect(await totals("project_id=site_1")).toMatchObject({ delivered: 4 });
  });

  it("shows pending and cancelled deliveries, and the health of each webhook in the list", async () => {
    await using world = await openOverview();
    const { webhookId, receiver } = world;
    const other = await world.subscribe("order.paid");
    const release = receiver.hold();
    await world.publish("ord_1", "ord_2");
    expect((await world.overview("period=1h")).totals).toMatchObject({ pending: 2, success_rate: null });
    expect((await world.overview(`webhook_id=${other.id}`)).totals).toMatchObject({ pending: 0 });
    await world.console(`DELETE /console/api/webhooks/${webhookId}`);
    receiver.answerWith(500);
    release();
    await expect
      .poll(async () => (await world.overview("period=1h")).totals)
      .toMatchObject({ pending: 0, cancelled: 2 });
    expect(sumOf((await world.overview("period=1h")).series)).toEqual(await countLog(world));
    const plain = JSON.parse((await world.console("GET /console/api/webhooks")).text);
    expect(plain.data[0]).not.toHaveProperty("health");
    const listed = JSON.parse((await world.console("GET /console/api/webhooks?include=health")).text);
    expect(listed.data).toMatchObject([{ id: other.id, health: { success_rate: null, p95_ms: null } }]);
    expect(listed.data[0].health.strip).toHaveLength(24);
  });
});

it("attention names webhooks that are off, fail, are paused, or wait for the end of a rotation", async () => {
  await using world = await openOverview();
  const { webhookId, receiver } = world;
  const path = `POST /console/api/webhooks/${webhookId}`;
  const kinds = async () => {
    const { attention } = await world.overview("period=24h");
    return attention.map(({ kind }: { readonly kind: string }) => kind);
  };
  await world.deliver("ord_1", "ord_2", "ord_3", "ord_4", "ord_5", "ord_6", "ord_7", "ord_8");
  receiver.answerWith(500);
  await world.deliver("ord_9");
  expect(await kinds()).toEqual([]);
  await world.deliver("ord_10");
  const failing = await world.overview("period=24h");
  expect(failing.attention).toEqual([
    {
      kind: "webhook_failing",
      webhook_id: webhookId,
      message: "4 of 12 attempts for events of the last hour were not accepted. Check the endpoint.",
      since: expect.stringMatching(/Z$/u),
      last_answer: { http_status: 500, error: "status", response: null },
      is_known: false,
      snoozed_until: null,
    },
  ]);
  await world.console(`${path}/rotate`);
  await world.console(`${path}/pause`);
  const [paused] = (await world.overview("period=24h")).attention;
  expect(paused).toMatchObject({ kind: "webhook_paused", since: expect.stringMatching(/Z$/u) });
  const list = JSON.parse((await world.console("GET /console/api/webhooks?include=health")).text);
  expect(list.data[0].health).toMatchObject({ success_rate: 0.8 });
  world.advance(25 * 3_600_000);
  const token = await openSession(world.hookwright);
  const later = await world.ask("GET /console/api/overview", { token });
  expect(JSON.parse(later.text).data.attention).toMatchObject([
    { kind: "webhook_paused", webhook_id: webhookId },
    { kind: "rotation_waiting", webhook_id: webhookId },
  ]);
});
