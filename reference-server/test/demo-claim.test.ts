import { createServer } from "node:net";
import { memoryStore } from "@hookwright/storage/memory";
import type { Store } from "@hookwright/storage";
import { describe, expect, it, onTestFinished } from "vitest";
import { claimStorage } from "../src/demo/claim-storage.ts";
import type { DemoClaim } from "../src/demo/claim-storage.ts";
import { startReceiver } from "../src/demo/receiver.ts";
import { createLogger } from "../src/logger.ts";
import { createServerLog } from "../src/server-log-lines.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";

/** A demo with its receiver, with the given host name and clock. */
async function openDemo(host = "here", receiverUrl?: string) {
  const receiver = await startReceiver({ now: () => 0 });
  onTestFinished(() => receiver.close());
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const logger = createLogger({ form: "json", colours: false, write, now: () => 0, secrets: [] });
  async function claim(store: Store, at = 0): Promise<DemoClaim> {
    const claimed = await claimStorage({
      store,
      storage: "memory",
      claimant: { id: receiver.id, receiverUrl: receiverUrl ?? receiver.targetUrl, host, processId: 7 },
      now: () => at,
      log: createServerLog(logger),
    });
    onTestFinished(() => claimed.release());
    return claimed;
  }
  return { claim, lines, close: () => receiver.close() };
}

const refusal = { name: "ServerError", code: "storage_in_use" };

describe("the claim of a demo", () => {
  it("is valid as long as its receiver responds, whatever the clock says", async () => {
    const store = memoryStore();
    const [first, second] = [await openDemo(), await openDemo()];
    await first.claim(store);
    await expect(second.claim(store, 3_600_000)).rejects.toMatchObject(refusal);
    await first.close();
    await second.claim(store);
  });

  it("is given to one of two demos that start at the same time", async () => {
    const store = memoryStore();
    const demos = await Promise.all([openDemo(), openDemo()]);
    const ends = await Promise.allSettled(demos.map((demo) => demo.claim(store)));
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(ends).toContainEqual({ status: "rejected", reason: expect.objectContaining(refusal) });
  });

  it("is valid while its receiver accepts connections without responding, as in a stopped process", async () => {
    await using silent = await listenLocally(createServer());
    const store = memoryStore();
    await (await openDemo("here", `${silent.origin}/`)).claim(store);
    await expect((await openDemo()).claim(store)).rejects.toMatchObject(refusal);
  });

  it("is invalid if the receiver of another demo uses its port", async () => {
    const store = memoryStore();
    const [second, third] = [await startReceiver({ now: () => 0 }), await openDemo()];
    onTestFinished(() => second.close());
    await (await openDemo("here", second.targetUrl)).claim(store);
    await expect(third.claim(store)).resolves.toHaveProperty("release");
  });

  it("of another host expires, because its receiver cannot be reached", async () => {
    const store = memoryStore();
    const [there, here] = [await openDemo("there"), await openDemo()];
    await (await there.claim(store)).announce("http://127.0.0.1:3000");
    await expect(here.claim(store, 19_000)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringMatching(/\(http:\/\/127\.0\.0\.1:3000, process 7 on there\).*in 20 seconds\.$/u),
    });
    await here.claim(store, 20_000);
  });

  it("can be released only by its owner", async () => {
    const store = memoryStore();
    const [first, second, third] = [await openDemo("there"), await openDemo(), await openDemo()];
    const lost = await first.claim(store);
    const held = await second.claim(store, 20_000);
    await lost.release();
    await expect(third.claim(store)).rejects.toMatchObject(refusal);
    await held.release();
    await third.claim(store);
  });

  it("is not taken back from another demo, and the log says so", async () => {
    const store = memoryStore();
    const [first, second, third] = [await openDemo("there"), await openDemo(), await openDemo()];
    const lost = await first.claim(store);
    await second.claim(store, 20_000);
    await lost.announce("http://127.0.0.1:3000");
    expect(first.lines).toEqual([expect.stringContaining('"code":"demo_claim_lost"')]);
    await expect(third.claim(store)).rejects.toMatchObject(refusal);
  });
});
