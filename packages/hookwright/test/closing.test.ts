import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import { openBakery, publishReview, secret } from "./support/bakery.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { ignoreOpenFilesLimit } from "./support/ignore-open-files-limit.ts";

ignoreOpenFilesLimit();

/** A store whose writes can be made to hang. */
function stallingStore(): Store & { stall(): void } {
  const store = memoryStore();
  let stalled = false;
  return {
    ...store,
    commit: (partition, commit) => (stalled ? new Promise(() => {}) : store.commit(partition, commit)),
    stall: () => void (stalled = true),
  };
}

function collectingLogger() {
  const lines: { level: string; message: string; fields: unknown }[] = [];
  const at = (level: string) => (message: string, fields?: unknown) =>
    void lines.push({ level, message, fields });
  return { lines, logger: { info: at("info"), warn: at("warn"), error: at("error") } };
}

describe("closing", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("ends within 15 s if the store hangs, and one log line lists what was not completed", async () => {
    const store = stallingStore();
    const { lines, logger } = collectingLogger();
    await using receiver = await openReceiver();
    const hookwright = await createHookwright({
      store,
      secret,
      logger,
      trustedOrigins: [receiver.origin],
    });
    const { apiKey } = await openBakery(hookwright, `${receiver.origin}/hooks`);
    // Causes a line of the request log, which is written after the response.
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await hookwright.fetch(new Request("http://localhost/v1/me", { headers }))).status).toBe(200);
    await publishReview(hookwright, "rev_1");
    store.stall();
    await receiver.next();
    const start = performance.now();
    let tookMs: number | undefined;
    void hookwright.close().then(() => (tookMs = performance.now() - start));
    for (let passed = 0; passed < 60_000 && tookMs === undefined; passed += 500)
      await vi.advanceTimersByTimeAsync(500);
    expect(tookMs).toBeLessThanOrEqual(14_500);
    expect(lines).toEqual([
      {
        level: "warn",
        message: expect.stringContaining("the next process repeats unrecorded attempts"),
        fields: {
          component: "lifecycle",
          code: "shutdown_incomplete",
          attempts_unrecorded: 1,
          tests_ended: true,
          outbox_closed: true,
          leases_released: false,
          request_log_closed: false,
        },
      },
    ]);
  });

  it("ends immediately and silently without work in progress, and a second call closes nothing again", async () => {
    const { lines, logger } = collectingLogger();
    const store = memoryStore();
    const hookwright = await createHookwright({ store, secret, logger });
    await Promise.all([hookwright.close(), hookwright.close()]);
    expect(lines).toEqual([]);
    expect(hookwright.scheduler.running).toBe(false);
    // The host closes its store.
    expect(await store.get(["p00", "nothing"])).toBeUndefined();
  });
});
