import { expect, it } from "vitest";
import { checkLedger } from "../../src/ledger/check-ledger.ts";
import { keys } from "../../src/storage/keys.ts";
import { answered } from "../support/fake-transport.ts";
import { accountId, createWorld, event, partition } from "../support/fake-world.ts";

const minuteMs = 60_000;

it("pending events of the ledger without a delivery are damage, and those with one are not", async () => {
  const world = createWorld();
  await world.addWebhook("wh_1");
  const at = world.clock.now();
  await using worker = world.worker({ retryDelaysSeconds: [3_600] });
  await worker.start();
  world.transport.answerWith(() => answered(500));
  const [retried] = await world.publish("wh_1", "ord_1");
  if (retried === undefined) throw new Error("nothing was published");
  worker.offer(accountId, [retried]);
  await world.clock.advance(0);
  await worker.close();
  const [fresh] = await world.publish("wh_1", "ord_2");
  const check = () => checkLedger(world.store, accountId, world.clock.now());
  world.clock.jump(10 * minuteMs);
  expect(await check()).toEqual([]);
  const lost = keys.newDelivery({ accountId, event, webhookId: "wh_1" }, fresh?.id ?? "");
  await world.store.commit(partition, { mutations: [{ type: "delete", key: lost }] });
  expect(await check()).toEqual([{ at, pending: 2, found: 1 }]);
});
