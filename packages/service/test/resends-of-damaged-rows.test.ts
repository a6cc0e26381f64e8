import { expect, it } from "vitest";
import type { OrderRepository } from "../src/repositories/order-repository.ts";
import { order, orders } from "./support/host-shop.ts";
import { accountId } from "./support/fake-world.ts";
import { openThree } from "./support/open-resends.ts";

/** Three webhooks with a failed delivery of `ord_1` each. The row of the newest one can be damaged. */
async function openDamaged() {
  const three = await openThree();
  const { opened, log } = three;
  await opened.fail("ord_1");
  const rows = await log(3);
  return { ...three, ids: rows.map(({ id }) => id), damage: (id = "") => damage(id) };

  async function damage(id: string): Promise<void> {
    const { store, partition } = opened.world;
    const key = [partition, "delivery", accountId, id] as const;
    await store.commit(partition, { mutations: [{ type: "set", key, value: "not JSON" }] });
  }
}

type Damaged = Awaited<ReturnType<typeof openDamaged>>;

const reported = ({ opened }: Damaged): string[] =>
  opened.world.errors.map((error) => String(error)).filter((text) => text.includes("cannot be read"));

it("a job of chosen deliveries reports and skips a row that cannot be read", async () => {
  const damaged = await openDamaged();
  await using _ = damaged.opened;
  const { ids, damage, start, finish } = damaged;
  await damaged.opened.recoverer.close();
  const job = await start({ delivery_ids: ids });
  await damage(ids[0]);
  const { recoverer } = damaged.opened.open("worker_2", { worker: damaged.opened.worker });
  recoverer.start();
  expect(await finish(job)).toMatchObject({ status: "finished", found: 3, resent: 2, skipped: 1 });
  await recoverer.close();
});

it("deliveries can be chosen although the row of one cannot be read", async () => {
  const damaged = await openDamaged();
  await using _ = damaged.opened;
  const { ids, damage, run, preview } = damaged;
  await damage(ids[0]);
  const chosen = { delivery_ids: ids };
  expect(await preview(chosen)).toEqual({ found: 3, skipped: 1, complete: true });
  expect(await run(chosen)).toMatchObject({ status: "finished", found: 3, resent: 2, skipped: 1 });
  expect(reported(damaged)).toEqual([expect.stringContaining(`1, the first ${ids[0]}`)]);
});

it("a job sends the others of a record although the row of its resend cannot be read", async () => {
  const damaged = await openDamaged();
  await using _ = damaged.opened;
  const { opened, ids, damage, run, preview, log } = damaged;
  await opened.service.deliveries.resend(accountId, ids[0] ?? "");
  await opened.world.clock.advance(1_000);
  const [resent] = await log(1);
  await damage(resent?.id);
  const failed = { statuses: ["failed"] };
  expect(await preview(failed)).toMatchObject({ found: 3 });
  expect(await run(failed)).toMatchObject({ status: "finished", found: 3, resent: 3 });
  expect(reported(damaged)[0]).toContain(`the first ${resent?.id}`);
});

it.each(["ord_1", "https://example.com/hook", "dlv_"])(
  "a job with the text %s reports and skips a row that cannot be read",
  async (q) => {
    const damaged = await openDamaged();
    await using _ = damaged.opened;
    const { ids, damage, run, preview } = damaged;
    await damage(ids[0]);
    const filter = { statuses: ["failed"], q };
    expect(await preview(filter)).toEqual({ found: 2, skipped: 0, complete: true });
    expect(await run(filter)).toMatchObject({ status: "finished", found: 2, resent: 2, skipped: 0 });
    expect(reported(damaged)[0]).toContain(`the first ${ids[0]}`);
  },
);

it("a job waits while the repository of the host fails, and then sends its orders too", async () => {
  let isDown = false;
  let calls = 0;
  const list: OrderRepository["list"] = (_, { number }) => {
    calls += 1;
    if (isDown) throw new Error("the database is down");
    if (number !== "n-5") return [];
    return [{ position: [1], row: { project_id: "site_1", data: { ...order, id: "ord_1", number } } }];
  };
  const { opened, start, finish, preview, log } = await openThree({ orders: { ...orders, list } });
  await using _ = opened;
  await opened.fail("ord_1");
  expect(await log(3)).toHaveLength(3);
  const filter = { statuses: ["failed"], q: "N-5" };
  calls = 0;
  expect(await preview(filter)).toMatchObject({ found: 3 });
  // Both spellings of the number, once for all pages.
  expect(calls).toBe(2);
  const job = await start(filter);
  isDown = true;
  await expect(start(filter)).rejects.toThrow("the database is down");
  await opened.world.clock.advance(10_000);
  expect((await opened.service.resends.get(accountId, job.id)).status).toBe("running");
  isDown = false;
  expect(await finish(job)).toMatchObject({ found: 3, resent: 3, skipped: 0 });
});
