import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { createHookwright } from "hookwright";
import { openReceiver } from "./support/open-receiver.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { printTable } from "./support/table.ts";

/**
 * Measures the memory of a recovery in the filesystem store: it must not depend on the number of deliveries. The heap is measured
 * after garbage collections, ten times a second.
 */
const sizes = (process.env["BENCH_DELIVERIES"] ?? "5000,50000").split(",").map(Number);
const batch = 500;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

async function measure(deliveries: number): Promise<Record<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  try {
    await using receiver = await openReceiver();
    await using store = await openFilesystemStore({ directory });
    const options = { store, secret: "s".repeat(32), privateTargets: true };
    const webhookId = await fill(options, deliveries, receiver.origin);
    await using hookwright = await createHookwright(options);
    const { webhooks } = hookwright;
    // The worker cancels the deliveries of the paused webhook.
    for (;;) {
      const { rows } = await hookwright.deliveries.list("acc_bench", { status: "pending" });
      if (rows.length === 0) break;
      await pause(200);
    }
    await webhooks.resume("acc_bench", webhookId);
    await pause(2_000);
    const before = heapMegabytes();
    const start = performance.now();
    const { id } = await webhooks.recover("acc_bench", webhookId, { since: "2020-01-01T00:00:00Z" });
    let highest = before;
    for (;;) {
      await pause(100);
      highest = Math.max(highest, heapMegabytes());
      const { status, resent } = await webhooks.getRecovery("acc_bench", id);
      if (status === "running") continue;
      if (resent !== deliveries) throw new Error(`the recovery sent ${resent} of ${deliveries} deliveries`);
      break;
    }
    return {
      "": `${deliveries.toLocaleString("en")} deliveries`,
      "heap before MiB": before.toFixed(1),
      "highest MiB": highest.toFixed(1),
      "growth MiB": (highest - before).toFixed(1),
      seconds: ((performance.now() - start) / 1_000).toFixed(0),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Publishes orders while nothing delivers, and pauses the webhook. */
async function fill(
  options: Parameters<typeof createHookwright>[0],
  deliveries: number,
  target_url: string,
): Promise<string> {
  await using hookwright = await createHookwright({ ...options, role: "api" });
  await hookwright.accounts.put("acc_bench", { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: "acc_bench" });
  const { webhook } = await hookwright.webhooks.create(
    { accountId: "acc_bench", credential: { type: "console" } },
    { event: "order.created", target_url },
  );
  for (let first = 0; first < deliveries; first += batch)
    await Promise.all(
      Array.from({ length: Math.min(batch, deliveries - first) }, (_, index) =>
        hookwright.publish({
          event: "order.created",
          project_id: "site_bench",
          data: sampleOrder(first + index),
        }),
      ),
    );
  await hookwright.webhooks.pause("acc_bench", webhook.id);
  return webhook.id;
}

const rows: Record<string, string>[] = [];
for (const deliveries of sizes) rows.push(await measure(deliveries));
printTable("The heap during a recovery", rows);
console.log();
