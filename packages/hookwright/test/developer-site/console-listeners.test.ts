import { describe, expect, it } from "vitest";
import { openEventStream } from "../end-to-end/support/event-stream.ts";
import { hasBrowser } from "../support/open-browser.ts";
import { createWebhook, prepareVisits, signInToWebhooks } from "../support/visit-console.ts";
import type { Visit } from "../support/visit-console.ts";

interface Listener {
  readonly id: string;
  readonly token: string;
}

async function createListener({ address, world }: Visit): Promise<Listener> {
  const { api_key: token } = await world.hookwright.apiKeys.create("acc_1", { name: "Laptop" });
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

describe.runIf(hasBrowser)("listeners in the console", { timeout: 120_000 }, () => {
  const visit = prepareVisits();

  it("a delivery shows what listeners answered to the same event", async () => {
    await using visited = await visit();
    const { page, world, complaints } = visited;
    await signInToWebhooks(page);
    await createWebhook(page, `${world.origin}/hook`);
    const failing = await createListener(visited);
    const accepting = await createListener(visited);
    await world.publish("rev_1");
    await world.settled();
    await page.getByRole("link", { name: "Deliveries" }).click();
    const delivery = page.getByRole("link", { name: "rev_1" });
    await delivery.click();
    await page.getByRole("list", { name: "Attempts, oldest first" }).waitFor();
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
