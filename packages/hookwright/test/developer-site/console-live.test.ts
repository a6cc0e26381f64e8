import { describe, expect, it } from "vitest";
import { openEventStream } from "../end-to-end/support/event-stream.ts";
import { openDelivery, openSection } from "../support/console-screens.ts";
import { hasBrowser, intercept } from "../support/open-browser.ts";
import { prepareVisits, publishMany } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

interface Listener {
  readonly id: string;
  readonly token: string;
}

async function createListener({ address, world }: Visit): Promise<Listener> {
  const { api_key: token } = await world.hookwright.apiKeys.create(world.account, { name: "Laptop" });
  const response = await fetch(new URL("/developer/v1/listeners", address), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ events: ["review.*"] }),
  });
  const { data }: { readonly data: { readonly id: string } } = await response.json();
  return { id: data.id, token };
}

/** The id under which a listener got the next event. */
async function receive({ address }: Visit, { id, token }: Listener): Promise<string> {
  await using events = await openEventStream({ origin: new URL(address).origin, listenerId: id, token });
  await expect.poll(() => events.deliveries.length).toBe(1);
  return events.deliveries[0]?.id ?? "";
}

describe.runIf(hasBrowser)("what changes by itself in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("a delivery appears in the list, in the counts and on the overview without a reload", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook");
    await open("deliveries");
    await page.getByText("No deliveries in the last 24 hours.").waitFor();
    await world.publish("rev_1");
    const row = page.getByRole("row", { name: "rev_1" });
    await row.getByText("Delivered").waitFor();
    await page
      .getByRole("navigation", { name: "Status" })
      .getByRole("link", { name: "Delivered 1" })
      .waitFor();
    await openSection(page, "Overview");
    const tile = page.locator(".tile", { hasText: "Delivered" }).first().locator(".value");
    await expect.poll(() => tile.textContent()).toBe("1");
    await world.publish("rev_2");
    await expect.poll(() => tile.textContent()).toBe("2");
    expect(complaints).toEqual([]);
  });

  it("a shown row and an open delivery follow their attempts", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await open("deliveries");
    world.answerWith("nothing");
    await world.publish("rev_1");
    await expect.poll(() => world.received.length).toBe(1);
    world.answerWith(503);
    world.answerWith("nothing");
    const row = page.getByRole("row", { name: "rev_1" });
    await row.getByText("Retrying").waitFor();
    const drawer = await openDelivery(page, "rev_1");
    await drawer
      .getByRole("listitem")
      .filter({ hasText: /^Next attempt (?:now|is due) · 2$/u })
      .waitFor();
    await expect.poll(() => world.received.length).toBe(2);
    world.answerWith(204);
    await drawer.getByRole("button", { name: "Attempt 2" }).waitFor();
    await drawer
      .getByRole("listitem")
      .filter({ hasText: /^Delivered$/u })
      .waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => row.locator(".status").textContent()).toContain("Delivered");
  });

  it("in a scrolled list new rows wait behind a button", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 25);
    await open("deliveries");
    await page.getByRole("link", { name: "rev_1", exact: true }).scrollIntoViewIfNeeded();
    const depth = await page.evaluate(() => scrollY);
    expect(depth).toBeGreaterThan(200);
    await world.publish("rev_late");
    const more = page.getByRole("button", { name: "1 new" });
    await more.waitFor();
    await expect.poll(() => page.getByRole("link", { name: "rev_late" }).count()).toBe(0);
    await more.click();
    await page.getByRole("link", { name: "rev_late" }).waitFor();
    await expect.poll(() => more.count()).toBe(0);
  });

  it("a burst leaves the open list right, and a scrolled one says that it is outdated", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await open("deliveries");
    await page.getByText("No deliveries in the last 24 hours.").waitFor();
    const burst = (name: string, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => world.publish(`${name}_${index + 1}`)));
    await burst("rev", 500);
    await page
      .getByRole("navigation", { name: "Status" })
      .getByRole("link", { name: "Delivered 500" })
      .waitFor();
    const statuses = page.getByRole("table").getByRole("row").locator(".status");
    await expect.poll(() => statuses.allTextContents()).toHaveLength(25);
    await expect.poll(async () => new Set(await statuses.allTextContents())).toEqual(new Set(["●Delivered"]));
    const newest = async (): Promise<unknown> => {
      const { rows } = await world.ask("GET /console/api/deliveries");
      return rows.map(({ record_id }) => record_id);
    };
    const shown = () =>
      page
        .getByRole("table")
        .getByRole("link", { name: /^(?:rev|late)_/u })
        .allTextContents();
    await expect.poll(shown).toEqual(await newest());
    await statuses.last().scrollIntoViewIfNeeded();
    await burst("late", 500);
    const more = page.getByRole("button", { name: /new/u });
    await more.click();
    await expect.poll(shown).toEqual(await newest());
  });

  it("says that the connection is lost, keeps what it shows, and recovers", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await page.clock.install();
    await world.createWebhook("/hook");
    await publishMany(world, 1);
    await open("deliveries");
    await page.getByRole("link", { name: "rev_1", exact: true }).waitFor();
    await intercept(page, "**/console/api/events", (route) => route.abort());
    visited.dropConnections();
    await page.getByRole("button", { name: "Reconnecting" }).waitFor();
    const note = page.getByRole("status").filter({ hasText: "Not up to date since" });
    // A short loss is not worth a word.
    await expect.poll(() => page.clock.runFor(1_000).then(() => note.count())).toBe(1);
    await expect.poll(() => page.getByRole("link", { name: "rev_1", exact: true }).isVisible()).toBe(true);
    await world.publish("rev_2");
    await world.settled();
    await page.unroute("**/console/api/events");
    await page.clock.fastForward(30_000);
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
    await page.getByRole("link", { name: "rev_2", exact: true }).waitFor();
    await expect.poll(() => note.count()).toBe(0);
  });

  it("notices a connection on which nothing arrives any more", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await page.clock.install();
    await world.createWebhook("/hook");
    await open("deliveries");
    const live = page.getByRole("button", { name: "Live", exact: true });
    visited.silenceConnections();
    await world.publish("rev_1");
    await world.settled();
    // The clock of the page also runs by itself, on a busy machine for seconds.
    await page.clock.fastForward(30_000);
    await expect.poll(() => live.isVisible()).toBe(true);
    await page.clock.fastForward(11_000);
    await page.getByRole("button", { name: "Reconnecting" }).waitFor();
    visited.dropConnections();
    await live.waitFor();
    await page.getByRole("link", { name: "rev_1", exact: true }).waitFor();
  });

  it("a user can pause it", async () => {
    await using visited = await visit();
    const { page, world, open } = visited;
    await world.createWebhook("/hook");
    await publishMany(world, 1);
    await open("deliveries");
    await page.getByRole("link", { name: "rev_1", exact: true }).waitFor();
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await world.publish("rev_2");
    await world.settled();
    await expect.poll(() => page.getByRole("link", { name: "rev_2", exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Paused", exact: true }).click();
    await page.getByRole("link", { name: "rev_2", exact: true }).waitFor();
  });

  it("a delivery shows what listeners answered to the same event", async () => {
    await using visited = await visit();
    const { page, world, open, complaints } = visited;
    await world.createWebhook("/hook");
    const failing = await createListener(visited);
    const accepting = await createListener(visited);
    await publishMany(world, 1);
    await open("deliveries");
    await openDelivery(page, "rev_1");
    const heading = page.getByRole("heading", { name: "What listeners answered" });
    await expect.poll(() => heading.count()).toBe(0);

    const rowOf = (id: string) => page.getByRole("row").filter({ hasText: id });
    const report = async (listener: Listener, result: object): Promise<void> => {
      const delivery = await receive(visited, listener);
      const path = `/developer/v1/listeners/${listener.id}/events/${delivery}/result`;
      expect((await world.ask(`POST ${path}`, result)).status).toBe(200);
    };
    await report(failing, { duration_ms: 1_250, error: "connect ECONNREFUSED 127.0.0.1:8080" });
    await report(accepting, { status: 204, duration_ms: 12.4 });
    // The open delivery shows them without a reload.
    await heading.waitFor();
    await rowOf(accepting.id).waitFor();
    const failed = await rowOf(failing.id).ariaSnapshot();
    for (const text of ["no response", "connect ECONNREFUSED 127.0.0.1:8080", "1.25 s"])
      expect(failed).toContain(text);
    const accepted = await rowOf(accepting.id).ariaSnapshot();
    for (const text of ["204", "12 ms"]) expect(accepted).toContain(text);
    await expect.poll(() => rowOf(accepting.id).locator("time").getAttribute("title")).toMatch(/Z$/u);
    expect(complaints).toEqual([]);
  });
});
