import { expect, it } from "vitest";
import { createTestSlots } from "../src/webhooks/test-slots.ts";

/** Tests that run until `ends` are called. */
function createHanging() {
  const slots = createTestSlots();
  const ends: (() => void)[] = [];
  const begin = (accountId: string): Promise<void> =>
    slots.run(accountId, () => new Promise<void>((resolve) => ends.push(resolve)));
  return { slots, begin, ends };
}

const refusal = { code: "rate_limited", status: 429, retryAfterSeconds: 1 };

it("an account has at most four tests in progress, whatever other accounts do", async () => {
  const { begin, ends } = createHanging();
  const begun = Array.from({ length: 4 }, () => begin("acc_1"));
  await expect(begin("acc_1")).rejects.toMatchObject(refusal);
  begun.push(begin("acc_2"));
  expect(ends).toHaveLength(5);
  ends.forEach((end) => end());
  await Promise.all(begun);
});

it("a full process aborts the oldest test of the account with the most for one that has fewer", async () => {
  const slots = createTestSlots();
  const aborted: string[] = [];
  const begin = (accountId: string): Promise<void> =>
    slots.run(
      accountId,
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted.push(accountId);
            reject(signal.reason);
          });
        }),
    );
  const attackers = Array.from({ length: 64 }, (_, index) => begin(`acc_${index >> 2}`));
  const displaced = Promise.allSettled(attackers);
  for (let test = 0; test < 4; test++) void begin("acc_99");
  expect(aborted).toEqual(["acc_0", "acc_1", "acc_2", "acc_3"]);
  await expect(attackers[0]).rejects.toMatchObject(refusal);
  await expect(begin("acc_99")).rejects.toMatchObject(refusal);
  void displaced;
});

it("tests use at most an eighth of the connections", async () => {
  const slots = createTestSlots({ maximumConnections: 16 });
  const signals: AbortSignal[] = [];
  for (let account = 1; account <= 3; account++)
    void slots.run(`acc_${account}`, (signal) => {
      signals.push(signal);
      return new Promise(() => {});
    });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, false]);
});

it("ended() resolves when no test is in progress, at once if there is none", async () => {
  const { slots, begin, ends } = createHanging();
  await slots.ended();
  const begun = [begin("acc_1"), begin("acc_2")];
  let ended = false;
  const all = slots.ended().then(() => (ended = true));
  ends[0]?.();
  await begun[0];
  expect(ended).toBe(false);
  ends[1]?.();
  await all;
});

it("a test releases its slot, however it ends", async () => {
  const slots = createTestSlots();
  for (let round = 0; round < 200; round += 1) {
    const failing = slots.run("acc_1", async () => {
      throw new Error("no such webhook");
    });
    await expect(failing).rejects.toThrow("no such webhook");
  }
  expect(await slots.run("acc_1", async () => "sent")).toBe("sent");
});
