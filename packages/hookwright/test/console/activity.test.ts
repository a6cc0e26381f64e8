import { expect, it } from "vitest";
import { useQuickScrypt } from "../../../service/test/support/quick-scrypt.ts";
import { openConsole } from "../support/open-console.ts";

useQuickScrypt();
const password = "correct horse battery";

async function openActivity() {
  const world = await openConsole({ retryDelaysSeconds: [], endpointBackoffSeconds: 0 }, password);
  const publish = async (count: number): Promise<void> => {
    for (let number = 0; number < count; number++) {
      await world.publish(`rev_${crypto.randomUUID()}`);
      await world.settled();
    }
  };
  const happened = async (actor: string) => {
    const { rows } = await world.ask(`GET /console/api/audit?actor=${actor}`);
    return rows.map(({ action, target }) => ({ action, target }));
  };
  return Object.assign(world, { publishSeveral: publish, happened });
}

it("the activity says that a webhook fails, accepts again, is disabled and is removed by a 410", async () => {
  await using world = await openActivity();
  const webhook = await world.createWebhook();
  world.answerWith(500);
  await world.publishSeveral(7);
  world.answerWith(204);
  await world.publishSeveral(2);
  const target = { kind: "webhook", id: webhook.id };
  const ups = [
    { action: "webhook.recovered", target },
    { action: "webhook.failing", target },
  ];
  expect(await world.happened("system")).toEqual(ups);
  world.answerWith(500);
  await world.publishSeveral(30);
  await world.ask(`POST ${webhook.path}/turn-on`);
  world.answerWith(410);
  await world.publishSeveral(1);
  expect(await world.happened("system")).toEqual([
    { action: "webhook.gone", target },
    { action: "webhook.switched_off", target },
    ...ups,
  ]);
});

it("a webhook that a test removes by a 410 is in the activity", async () => {
  await using world = await openActivity();
  const webhook = await world.createWebhook();
  world.answerWith(410);
  await world.ask(`POST ${webhook.path}/test`, {});
  expect(await world.happened("system")).toEqual([
    { action: "webhook.gone", target: { kind: "webhook", id: webhook.id } },
  ]);
});

it("sign-ins are in the activity, one of an account in a minute", async () => {
  await using world = await openActivity();
  const { email, account, hookwright } = world;
  for (let number = 0; number < 3; number++) await hookwright.sessions.create({ email, password });
  const entry = { action: "sign_in.succeeded", target: { kind: "account", id: account } };
  const signIns = await world.happened("owner");
  expect(signIns).toContainEqual(entry);
  expect(signIns.length).toBeLessThan(3);
});
