import { describe, expect, it } from "vitest";
import type { Scheduler } from "../src/index.ts";
import { until } from "./support/fake-clock.ts";
import { accepted, noAnswer } from "./support/fake-transport.ts";
import { createWorld } from "./support/fake-world.ts";
import type { World } from "./support/fake-world.ts";

const webhooks = 600;
const deliveriesOfWebhook = 10;

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `ord_${index}`);

/** Webhooks `wh_0`, `wh_1`, …, each with so many deliveries that wait for it. */
async function addBacklogs(
  world: World,
  scheduler: Scheduler,
  { webhooks: count, deliveries }: { readonly webhooks: number; readonly deliveries: number },
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await world.addWebhook(`wh_${index}`);
    scheduler.offer("acc_1", await world.publish(`wh_${index}`, ...idsOf(deliveries)));
  }
}

it("600 webhooks that hang with more waiting leave room for one that does not", async () => {
  const world = createWorld();
  world.transport.answerWith(({ targetUrl }) =>
    targetUrl.includes("healthy") ? accepted() : new Promise(() => {}),
  );
  const scheduler = world.scheduler();
  await scheduler.start();
  await addBacklogs(world, scheduler, { webhooks, deliveries: deliveriesOfWebhook });
  await until(() => world.transport.sent.length >= webhooks * 4);
  await world.clock.advance(0);
  // Each has several under way: what is left is not left because little was begun.
  expect(scheduler.stats.sending).toBeGreaterThan(3_000);
  await world.addWebhook("healthy");
  const published = await world.publish("healthy", "ord_1", "ord_2", "ord_3");
  scheduler.offer("acc_1", published);
  await world.clock.advance(0);
  const arrived = world.transport.sent.filter(({ targetUrl }) => targetUrl.includes("healthy"));
  expect(arrived).toHaveLength(3);
  const closed = scheduler.close({ deadlineMs: 1_000 });
  await world.clock.advance(2_000);
  await closed;
});

it("of few turns no more are under way, and one that does well still finds one while twenty hang", async () => {
  const world = createWorld();
  world.transport.answerWith(({ targetUrl }) =>
    targetUrl.includes("healthy") ? accepted() : new Promise(() => {}),
  );
  const scheduler = world.scheduler({ maximumTurns: 64 });
  await scheduler.start();
  await addBacklogs(world, scheduler, { webhooks: 20, deliveries: deliveriesOfWebhook });
  await world.clock.advance(0);
  const hanging = scheduler.stats.sending;
  expect(hanging).toBeGreaterThanOrEqual(20);
  expect(hanging).toBeLessThan(64);
  await world.addWebhook("healthy");
  scheduler.offer("acc_1", await world.publish("healthy", "ord_1"));
  await world.clock.advance(0);
  expect(world.transport.sent.at(-1)?.targetUrl).toContain("healthy");
  // One after the other each webhook may have a turn; then there is none left.
  for (let index = 20; index < 80; index++) {
    await world.addWebhook(`wh_${index}`);
    scheduler.offer("acc_1", await world.publish(`wh_${index}`, "ord_1"));
  }
  await world.clock.advance(0);
  expect(scheduler.stats.sending).toBe(64);
  const closed = scheduler.close({ deadlineMs: 1_000 });
  await world.clock.advance(2_000);
  await closed;
});

it("500 webhooks that fail, each with more waiting, take few turns in one round of the event loop, and in a time", async () => {
  const world = createWorld();
  const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));
  world.transport.answerWith(async () => {
    await nextRound();
    return noAnswer();
  });
  const scheduler = world.scheduler();
  await scheduler.start();
  await addBacklogs(world, scheduler, { webhooks: 500, deliveries: 25 });
  // As long as none has answered they are webhooks like any other.
  await until(() => world.transport.sent.length >= 4_000);
  let most = 0;
  let mostInTime = 0;
  while (world.transport.sent.length < 500 * 25) {
    const begun = world.transport.sent.length;
    await world.clock.advance(10);
    for (let round = 0; round < 20; round += 1) {
      const before = world.transport.sent.length;
      await nextRound();
      most = Math.max(most, world.transport.sent.length - before);
    }
    if (begun > 5_000) mostInTime = Math.max(mostInTime, world.transport.sent.length - begun);
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(16);
  expect(mostInTime).toBeGreaterThan(2);
  expect(mostInTime).toBeLessThanOrEqual(10);
  await scheduler.close();
});

it("a webhook that does well does not wait for those that fail", async () => {
  const world = createWorld();
  world.transport.answerWith(({ targetUrl }) => (targetUrl.includes("healthy") ? accepted() : noAnswer()));
  const scheduler = world.scheduler();
  await scheduler.start();
  await addBacklogs(world, scheduler, { webhooks: 20, deliveries: 25 });
  await world.addWebhook("healthy");
  await world.clock.advance(0);
  const tried = world.transport.sent.length;
  expect(tried).toBeLessThan(20 * 25);
  scheduler.offer("acc_1", await world.publish("healthy", ...idsOf(25)));
  await world.clock.advance(0);
  const arrived = world.transport.sent.filter(({ targetUrl }) => targetUrl.includes("healthy"));
  expect(arrived).toHaveLength(25);
  // They are slower for it, and that is all.
  while (world.transport.sent.length < 21 * 25) await world.clock.advance(4);
  await scheduler.close();
});

/** Other webhooks that fail, each with more waiting, and what was saved up for them is used up. */
async function addFailing(world: World, scheduler: Scheduler): Promise<void> {
  await addBacklogs(world, scheduler, { webhooks: 200, deliveries: 25 });
  await world.clock.advance(1_000);
}

const slowIsAccepted = (world: World): void =>
  world.transport.answerWith(({ targetUrl }) => {
    if (targetUrl.includes("healthy")) return accepted();
    return targetUrl.includes("slow") ? { ...accepted(), durationMs: 1_500 } : noAnswer();
  });

/** Where others fail and what was saved up for them is used up: a scheduler, and a webhook that does well, `healthy`. */
async function startBesideFailing() {
  const world = createWorld();
  slowIsAccepted(world);
  const scheduler = world.scheduler();
  await scheduler.start();
  await addFailing(world, scheduler);
  await world.addWebhook("healthy");
  return { world, scheduler };
}

const sentTo = (world: World, name: string): number =>
  world.transport.sent.filter(({ targetUrl }) => targetUrl.includes(name)).length;

it("webhooks that are slow to accept and have a backlog have three of four paced turns, however many fail", async () => {
  const world = createWorld();
  slowIsAccepted(world);
  for (const name of ["slow_1", "slow_2"]) {
    await world.addWebhook(name);
    await world.publish(name, ...idsOf(500));
  }
  await world.clock.advance(31_000);
  const scheduler = world.scheduler();
  await scheduler.start();
  await addFailing(world, scheduler);
  const others = (): number => world.transport.sent.length - sentTo(world, "slow");
  const [slowBefore, othersBefore] = [sentTo(world, "slow"), others()];
  for (let passed = 0; passed < 400; passed += 4) await world.clock.advance(4);
  expect(sentTo(world, "slow") - slowBefore).toBeGreaterThan(140);
  expect(sentTo(world, "slow") - slowBefore).toBeLessThan(160);
  expect(others() - othersBefore).toBeGreaterThan(45);
  expect(others() - othersBefore).toBeLessThan(55);
  await scheduler.close();
});

it("what is just published to a webhook that is slow to accept is not paced: nobody waits for a turn as long as there is no backlog", async () => {
  const { world, scheduler } = await startBesideFailing();
  await world.addWebhook("slow");
  const publish = async (name: string): Promise<void> =>
    scheduler.offer("acc_1", await world.publish(name, `ord_${world.clock.now()}`));
  await publish("healthy");
  let published = 0;
  for (let passed = 0; passed < 4_000; passed += 5) {
    await publish("slow");
    await world.clock.advance(5);
    published += 1;
    expect(sentTo(world, "slow")).toBe(published);
  }
  await scheduler.close();
});

describe.each([
  { age: "old", waitedMs: 31_000 },
  { age: "young", waitedMs: 0 },
])("a webhook that is slow and was found with an $age backlog works that off at the pace", ({ waitedMs }) => {
  it.each([
    { name: "this process publishes", isHere: () => true },
    { name: "another process publishes", isHere: () => false },
    { name: "both publish in turn", isHere: (publish: number) => publish % 2 === 0 },
  ])("however much $name to it meanwhile", async ({ isHere }) => {
    const world = createWorld();
    slowIsAccepted(world);
    await world.addWebhook("slow");
    await world.publish("slow", ...idsOf(2_000));
    await world.clock.advance(waitedMs);
    const scheduler = world.scheduler();
    await scheduler.start();
    await addFailing(world, scheduler);
    await world.addWebhook("healthy");
    scheduler.offer("acc_1", await world.publish("healthy", "ord_healthy"));
    await world.clock.advance(0);
    const before = sentTo(world, "slow");
    for (let publish = 0; publish < 80; publish += 1) {
      if (isHere(publish)) scheduler.offer("acc_1", await world.publish("slow", `ord_at_${publish}`));
      else await world.publishElsewhere("slow", `ord_at_${publish}`);
      await world.clock.advance(100);
    }
    // Eighty were published to it, and two of three turns or more of the hundred are for its backlog.
    expect(sentTo(world, "slow") - before).toBeGreaterThan(140);
    expect(sentTo(world, "slow") - before).toBeLessThan(165);
    await scheduler.close();
  });
});

it.each([
  { name: "a few deliveries each wait for no pace", waiting: 3, least: 100, most: 100 },
  { name: "tens each, and nothing that follows, wait for no pace", waiting: 40, least: 1_950, most: 1_950 },
  { name: "hundreds each have a backlog, however young", waiting: 300, least: 8, most: 20 },
])("fifty slow webhooks that are found with $name", async ({ waiting, least, most }) => {
  const world = createWorld();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  world.transport.answerWith(async ({ targetUrl }) => {
    if (targetUrl.includes("healthy")) return accepted();
    if (!targetUrl.includes("slow")) return noAnswer();
    await released;
    return { ...accepted(), durationMs: 1_500 };
  });
  for (const index of Array.from({ length: 50 }).keys()) {
    await world.addWebhook(`slow_${index}`);
    await world.publish(`slow_${index}`, ...idsOf(waiting));
  }
  const scheduler = world.scheduler();
  await scheduler.start();
  // What was saved up is used up by then, and of each of the fifty the first delivery is under way.
  await addFailing(world, scheduler);
  await world.addWebhook("healthy");
  const publishHealthy = async (): Promise<void> =>
    scheduler.offer("acc_1", await world.publishElsewhere("healthy", `ord_${world.clock.now()}`));
  await publishHealthy();
  await world.clock.advance(0);
  expect(sentTo(world, "slow")).toBe(50);
  release();
  for (let passed = 0; passed < 1_000; passed += 4) {
    if (passed % 100 === 0) await publishHealthy();
    await world.clock.advance(4);
  }
  expect(sentTo(world, "slow") - 50).toBeGreaterThanOrEqual(least);
  expect(sentTo(world, "slow") - 50).toBeLessThanOrEqual(most);
  await scheduler.close();
});

it("what has waited for a free turn until it was no longer just published waits for the pace as well", async () => {
  const world = createWorld();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const known = new Set<string>();
  world.transport.answerWith(async ({ targetUrl }) => {
    if (targetUrl.includes("slow")) {
      // The first is refused: as long as its retry waits the webhook is not forgotten.
      const isFirst = known.size < known.add(targetUrl).size;
      return isFirst ? noAnswer() : { ...accepted(), durationMs: 1_500 };
    }
    if (!targetUrl.includes("held")) return noAnswer();
    await released;
    return accepted();
  });
  const scheduler = world.scheduler({ maximumTurns: 64, retryDelaysSeconds: [3_600], pollMs: 600_000 });
  await scheduler.start();
  const publishToEach = async (name: string, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      if (!(await world.webhook(`${name}_${index}`))) await world.addWebhook(`${name}_${index}`);
      scheduler.offer("acc_1", await world.publish(`${name}_${index}`, `ord_${world.clock.now()}`));
      await world.clock.advance(1);
    }
  };
  const slowOnes = 400;
  await publishToEach("slow", slowOnes);
  await publishToEach("slow", slowOnes);
  while (sentTo(world, "slow") < slowOnes * 2) await world.clock.advance(4);
  await addFailing(world, scheduler);
  await publishToEach("held", 64);
  while (scheduler.stats.sending < 64) await world.clock.advance(4);
  await publishToEach("slow", slowOnes);
  await world.clock.advance(31_000);
  expect(sentTo(world, "slow")).toBe(slowOnes * 2);
  release();
  // There are sixty-four turns for each 25 ms.
  for (let passed = 0; passed < 200; passed += 4) await world.clock.advance(4);
  // What was saved up meanwhile, and what comes in the time.
  expect(sentTo(world, "slow") - slowOnes * 2).toBeLessThanOrEqual(256 + 16);
  while (sentTo(world, "slow") < slowOnes * 3) await world.clock.advance(4);
  await scheduler.close();
});

it.each([
  { publishes: 0, least: 480, most: 520 },
  { publishes: 10, least: 8, most: 16 },
  { publishes: 200, least: 21, most: 29 },
  { publishes: 2_000, least: 240, most: 260 },
])(
  "those that fail have $least to $most turns in a second in which a webhook that does well accepts $publishes",
  async ({ publishes, least, most }) => {
    const { world, scheduler } = await startBesideFailing();
    const turnsInSecond = async (): Promise<number> => {
      const before = world.transport.sent.length;
      let published = 0;
      for (let passed = 0; passed < 1_000; passed += 4) {
        const due = Math.ceil((publishes * passed) / 1_000) - published;
        published += due;
        const ids = idsOf(due).map((id) => `${id}_${world.clock.now()}`);
        if (due > 0) scheduler.offer("acc_1", await world.publish("healthy", ...ids));
        await world.clock.advance(4);
      }
      return world.transport.sent.length - before - publishes;
    };
    // In the first it is learned how much others accept.
    for (let second = 1; second <= 2; second += 1) await turnsInSecond();
    const turns = await turnsInSecond();
    expect(turns).toBeGreaterThanOrEqual(least);
    expect(turns).toBeLessThanOrEqual(most);
    await scheduler.close();
  },
);

describe("one that refuses some of its deliveries, beside others", () => {
  /** Answers in the first second, and in the fourth, when what was saved up is used up. */
  async function answersOf(
    refusesOneOf: number,
  ): Promise<{ readonly first: number; readonly fourth: number }> {
    const world = createWorld();
    let answers = 0;
    world.transport.answerWith(({ targetUrl }) => {
      if (targetUrl.includes("healthy")) return accepted();
      return (answers += 1) % refusesOneOf === 0 ? noAnswer() : accepted();
    });
    const scheduler = world.scheduler();
    await scheduler.start();
    await addBacklogs(world, scheduler, { webhooks: 1, deliveries: 6_000 });
    await world.addWebhook("healthy");
    let [first, before] = [0, 0];
    for (let passed = 0; passed < 4_000; passed += 4) {
      if (passed === 1_000) first = answers;
      if (passed === 3_000) before = answers;
      if (passed % 100 === 0)
        scheduler.offer("acc_1", await world.publish("healthy", `ord_${world.clock.now()}`));
      await world.clock.advance(4);
    }
    await scheduler.close();
    return { first, fourth: answers - before };
  }

  it("is held up for what it refuses alone", async () => {
    // Twelve of them are refused, or thirteen.
    const { fourth } = await answersOf(2);
    expect(fourth).toBeGreaterThan(19);
    expect(fourth).toBeLessThan(33);
  });

  it("is held up by nothing where it accepts three of four", async () => {
    // What was saved up, and thirteen refused in a second, would be eleven hundred.
    const { first } = await answersOf(4);
    expect(first).toBeGreaterThan(4_000);
  });
});

it.each([
  { name: "has long failed", failures: 25 },
  { name: "has failed twice", failures: 2 },
])("one that $name and accepts again waits for none of those that still fail", async ({ failures }) => {
  const world = createWorld();
  let isBack = false;
  const acceptedAt: number[] = [];
  world.transport.answerWith(({ targetUrl }) => {
    if (!targetUrl.includes("back") || !isBack) return noAnswer();
    acceptedAt.push(world.clock.now());
    return accepted();
  });
  const scheduler = world.scheduler();
  await scheduler.start();
  await world.addWebhook("back");
  await addBacklogs(world, scheduler, { webhooks: 400, deliveries: 25 });
  // What was saved up is used up, and each waits for 800 ms between two turns.
  await world.clock.advance(1_000);
  scheduler.offer("acc_1", await world.publish("back", ...idsOf(failures)));
  await world.clock.advance(1_000);
  isBack = true;
  scheduler.offer("acc_1", await world.publish("back", ...idsOf(60).map((id) => `${id}_again`)));
  while (acceptedAt.length < 10) await world.clock.advance(4);
  expect((acceptedAt.at(9) ?? 0) - (acceptedAt[0] ?? 0)).toBeLessThan(100);
  await scheduler.close();
});

it("what is accepted of one that fails now and then gives those that only fail an eighth of it, and not all", async () => {
  const world = createWorld();
  let answers = 0;
  world.transport.answerWith(({ targetUrl }) => {
    if (!targetUrl.includes("flaky")) return noAnswer();
    // Of four that are under way together the first is refused: the others were begun while it did well.
    return (answers += 1) % 4 === 1 ? noAnswer() : accepted();
  });
  const scheduler = world.scheduler();
  await scheduler.start();
  await addBacklogs(world, scheduler, { webhooks: 400, deliveries: 25 });
  await world.addWebhook("flaky");
  const failures = (): number => world.transport.sent.length - answers;
  let before = 0;
  for (let passed = 0; passed < 3_000; passed += 4) {
    if (passed === 2_000) before = failures();
    const ids = idsOf(4).map((id) => `${id}_${passed}`);
    scheduler.offer("acc_1", await world.publish("flaky", ...ids));
    await world.clock.advance(4);
  }
  // Of a thousand deliveries to it in a second 750 are accepted while it does well: 94 turns.
  expect(failures() - before).toBeGreaterThan(80);
  expect(failures() - before).toBeLessThan(105);
  await scheduler.close();
});

it("one that fails and accepts now and then slows down nobody", async () => {
  const world = createWorld();
  let answers = 0;
  world.transport.answerWith(() => ((answers += 1) % 5 === 0 ? accepted() : noAnswer()));
  const scheduler = world.scheduler();
  await scheduler.start();
  await addBacklogs(world, scheduler, { webhooks: 201, deliveries: 60 });
  // Each accepts one in five. The first answers are those of webhooks like any other.
  await world.clock.advance(12_000);
  const before = world.transport.sent.length;
  for (let passed = 0; passed < 1_000; passed += 4) await world.clock.advance(4);
  expect(world.transport.sent.length - before).toBeGreaterThan(480);
  await scheduler.close();
});

it("those that hang begin their turns at their pace, also where time passes while the line is looked at", async () => {
  const world = createWorld();
  world.transport.answerWith(() =>
    world.transport.sent.length <= 1_600 ? noAnswer() : new Promise(() => {}),
  );
  let looks = 0;
  // A millisecond passes with every other look at the clock, as far as that of the test has not gone on.
  const clock = {
    now: () => world.clock.now() + Math.floor(((looks += 1) % 8) / 2),
    schedule: world.clock.schedule,
  };
  const scheduler = world.scheduler({ clock, pollMs: 600_000 });
  await scheduler.start();
  await addBacklogs(world, scheduler, { webhooks: 200, deliveries: 25 });
  const sent = (): number => world.transport.sent.length;
  for (let passed = 0; passed < 5_000 && sent() < 1_800; passed++) await world.clock.advance(1);
  let mostStill = 0;
  for (let still = 0, before = sent(); sent() < 2_800 && still < 1_000; before = sent()) {
    await world.clock.advance(1);
    still = sent() === before ? still + 1 : 0;
    mostStill = Math.max(mostStill, still);
  }
  expect(mostStill).toBeLessThan(50);
  const closed = scheduler.close({ deadlineMs: 1_000 });
  await world.clock.advance(2_000);
  await closed;
});
