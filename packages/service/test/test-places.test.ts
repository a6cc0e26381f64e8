import { expect, it } from "vitest";
import { createTestPlaces } from "../src/webhooks/test-places.ts";

/** Tests that go on until they are told to end. */
function createHanging() {
  const places = createTestPlaces();
  const ends: (() => void)[] = [];
  const begin = (accountId: string): Promise<void> =>
    places.hold(accountId, () => new Promise<void>((resolve) => ends.push(resolve)));
  return { places, begin, ends };
}

const refusal = { code: "rate_limited", status: 429, retryAfterSeconds: 1 };

it("an account has four tests under way at most; one more is refused at once, another account's is not", async () => {
  const { begin, ends } = createHanging();
  const begun = Array.from({ length: 4 }, () => begin("acc_1"));
  await expect(begin("acc_1")).rejects.toMatchObject(refusal);
  begun.push(begin("acc_2"));
  expect(ends).toHaveLength(5);
  ends.forEach((end) => end());
  await Promise.all(begun);
});

it("a process has 64 tests under way at most, whoever asks for them", async () => {
  const { begin, ends } = createHanging();
  const begun = Array.from({ length: 64 }, (_, index) => begin(`acc_${index >> 2}`));
  await expect(begin("acc_99")).rejects.toMatchObject(refusal);
  ends[0]?.();
  await begun[0];
  begun.push(begin("acc_99"));
  await expect(begin("acc_98")).rejects.toMatchObject(refusal);
  ends.forEach((end) => end());
  await Promise.all(begun);
  expect(ends).toHaveLength(65);
});

it("says when none is under way, at once where none was", async () => {
  const { places, begin, ends } = createHanging();
  await places.ended();
  const begun = [begin("acc_1"), begin("acc_2")];
  let ended = false;
  const all = places.ended().then(() => (ended = true));
  ends[0]?.();
  await begun[0];
  expect(ended).toBe(false);
  ends[1]?.();
  await all;
});

it("a test gives its place back, however it ends", async () => {
  const places = createTestPlaces();
  for (let round = 0; round < 200; round += 1) {
    const failing = places.hold("acc_1", async () => {
      throw new Error("no such webhook");
    });
    await expect(failing).rejects.toThrow("no such webhook");
  }
  expect(await places.hold("acc_1", async () => "sent")).toBe("sent");
});
