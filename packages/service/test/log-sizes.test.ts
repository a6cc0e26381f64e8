import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import { writeLogSize } from "../src/rows/log-size-row.ts";
import { openService } from "./support/open-service.ts";

it("the host lists the accounts with the largest logs first, in pages, also those without events", async () => {
  const store = memoryStore();
  const { service } = openService({ store });
  for (const id of ["acc_1", "acc_2", "acc_3", "acc_4"])
    await service.accounts.put(id, { email: `${id}@example.com` });
  const at = Date.UTC(2026, 10, 29, 9);
  await writeLogSize(store, "acc_1", { count: 2, bytes: 900 }, at);
  await writeLogSize(store, "acc_2", { count: 9, bytes: 5_000 }, at);
  await writeLogSize(store, "acc_3", { count: 9, bytes: 5_000 }, at);
  // Without an account, nothing is written.
  await writeLogSize(store, "acc_9", { count: 9, bytes: 9_000 }, at);
  expect(await store.get(keys.logSize("acc_9"))).toBeUndefined();
  const first = await service.accounts.list({ sort: "log_size" }, { limit: 2 });
  expect(first.rows).toMatchObject([
    { id: "acc_2", log: { deliveries: 9, bytes: 5_000, measured_at: "2026-11-29T09:00:00Z" } },
    { id: "acc_3", ledger: { due: 0 } },
  ]);
  const cursor = first.meta.next_cursor ?? undefined;
  const second = await service.accounts.list({ sort: "log_size" }, { limit: 2, cursor });
  expect(second.rows.map(({ id }) => id)).toEqual(["acc_1"]);
  const { rows } = await service.accounts.list({}, { limit: 10 });
  expect(rows.map(({ log }) => log?.bytes ?? null)).toEqual([900, 5_000, 5_000, null]);
});

it("an unchanged size is not written again, and an empty log has none", async () => {
  let commits = 0;
  const memory = memoryStore();
  const store = {
    ...memory,
    commit(...[partition, commit]: Parameters<typeof memory.commit>) {
      commits += 1;
      return memory.commit(partition, commit);
    },
  };
  const { service } = openService({ store });
  await service.accounts.put("acc_1", { email: "one@example.com" });
  commits = 0;
  for (const [count, bytes, written] of [
    [0, 0, 0],
    [1, 10, 1],
    [1, 10, 1],
    [0, 0, 2],
  ] as const) {
    await writeLogSize(store, "acc_1", { count, bytes }, 1_000);
    expect(commits).toBe(written);
  }
  const { rows } = await service.accounts.list({}, { limit: 10 });
  expect(rows).toMatchObject([{ log: null }]);
});
