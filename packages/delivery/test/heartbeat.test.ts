import { expect, it } from "vitest";
import { createHeartbeat } from "../src/scheduler/leases/heartbeat.ts";
import type { Renewal } from "../src/scheduler/leases/partition-leases.ts";
import { leaseMs } from "../src/scheduler/leases/worker-identity.ts";
import { createFakeClock } from "./support/fake-clock.ts";

function renewed(...lost: string[]): Renewal {
  return { lost, fault: undefined };
}

/** A heartbeat of leases that are renewed as `renew` says, with what it has told since. */
function openHeartbeat(renew: () => Promise<Renewal> = async () => renewed()) {
  const clock = createFakeClock();
  const begun = clock.now();
  const told: (readonly [afterMs: number, what: unknown])[] = [];
  const tell = (what: unknown): void => void told.push([clock.now() - begun, what]);
  const heartbeat = createHeartbeat({
    leases: { renew },
    clock,
    onLost: tell,
    onRenewed: () => tell("renewed"),
    onFault: tell,
  });
  heartbeat.start();
  return { heartbeat, clock, told };
}

it("leases are renewed twice before one could run out, and again", async () => {
  const { clock, told } = openHeartbeat();
  await clock.advance(leaseMs - 1);
  expect(told).toEqual([
    [5_000, "renewed"],
    [10_000, "renewed"],
  ]);
  await clock.advance(1);
  expect(told.at(-1)).toEqual([15_000, "renewed"]);
});

it("partitions that somebody else has taken are told before the others go on", async () => {
  const { clock, told } = openHeartbeat(async () => renewed("p01", "p07"));
  await clock.advance(5_000);
  expect(told.map(([, what]) => what)).toEqual(["p01", "p07", "renewed"]);
});

it("after a fault it tries again each second, until it has renewed", async () => {
  const away = new Error("the store is away");
  let faults = 3;
  const { clock, told } = openHeartbeat(async () => {
    faults -= 1;
    return { lost: [], fault: faults >= 0 ? away : undefined };
  });
  await clock.advance(13_000);
  expect(told).toEqual([
    [5_000, "renewed"],
    [5_000, away],
    [6_000, "renewed"],
    [6_000, away],
    [7_000, "renewed"],
    [7_000, away],
    [8_000, "renewed"],
    [13_000, "renewed"],
  ]);
});

it("a slow store is not asked again before it has answered", async () => {
  let answer = (): void => {};
  let asked = 0;
  const { clock, told } = openHeartbeat(() => {
    asked += 1;
    return new Promise((resolve) => (answer = () => resolve(renewed())));
  });
  await clock.advance(60_000);
  expect(asked).toBe(1);
  answer();
  await clock.advance(5_000);
  expect([asked, told]).toEqual([2, [[60_000, "renewed"]]]);
});

it("once stopped it renews nothing, and a renewal that is under way is followed by no other", async () => {
  const quiet = openHeartbeat();
  quiet.heartbeat.stop();
  expect(quiet.clock.timers).toBe(0);

  let answer = (): void => {};
  const busy = openHeartbeat(() => new Promise((resolve) => (answer = () => resolve(renewed("p01")))));
  await busy.clock.advance(5_000);
  busy.heartbeat.stop();
  answer();
  await busy.clock.advance(0);
  expect(busy.told.map(([, what]) => what)).toEqual(["p01", "renewed"]);
  expect(busy.clock.timers).toBe(0);
});
