import { expect, it } from "vitest";
import { createMergedKeys, maxMergedKeys } from "../src/commit/merged-keys.ts";
import {
  maxMessageCharacters,
  readNotificationMessage,
  writeNotificationMessage,
} from "../src/commit/notification-message.ts";
import { createWatchers } from "../src/commit/watchers.ts";
import type { Key } from "../src/port.ts";

const one: Key = ["p05", "fresh", "acc_1"];
const two: Key = ["p05", "fresh", 2];
const elsewhere: Key = ["p06", "fresh", 2];

it("notifications of one event loop iteration are merged, with each key once", async () => {
  const watchers = createWatchers();
  const received: unknown[] = [];
  watchers.watch((keys) => received.push(keys));
  watchers.notify([one]);
  watchers.notify([two, [...one]]);
  watchers.notify([elsewhere]);
  await Promise.resolve().then(() => {});
  expect(received).toEqual([[one, two, elsewhere]]);
  watchers.notify([one]);
  watchers.notify(undefined);
  watchers.notify([two]);
  await Promise.resolve().then(() => {});
  expect(received.slice(1)).toEqual([undefined]);
});

it("too many keys become a notification without keys", () => {
  const merged = createMergedKeys();
  const keys = Array.from({ length: maxMergedKeys + 1 }, (_, index): Key => ["p05", index]);
  merged.add(keys.slice(1));
  merged.add(keys.slice(1));
  expect(merged.merged()).toHaveLength(maxMergedKeys);
  merged.add(keys);
  expect(merged.merged()).toBeUndefined();
  merged.add([one]);
  expect(merged.merged()).toBeUndefined();
});

it.each<[what: string, keys: readonly Key[] | undefined]>([
  ["no keys", undefined],
  ["a key", [one]],
  ["keys of any characters", [one, two, ["p05", 'a "b" \n\u0000 ü', -1, ""]]],
])("a message between processes contains its sender and %s", (_, keys) => {
  const message = writeNotificationMessage({ sender: "process-1", keys });
  expect(readNotificationMessage(message)).toEqual({ sender: "process-1", keys });
});

it("a message that would be too long has no keys", () => {
  const keys = Array.from({ length: 2_000 }, (_, index): Key => ["p05", "x".repeat(40), index]);
  expect(JSON.stringify(keys).length).toBeGreaterThan(maxMessageCharacters);
  expect(writeNotificationMessage({ sender: "process-1", keys })).toBe("process-1");
});

it.each([
  "",
  "x",
  "{",
  "[]",
  "{}",
  '["p05"]',
  "[[]]",
  "[[1]]",
  '[["p05",1.5]]',
  '[["p05",null]]',
  '[["p05"],"p05"]',
])("a message with unknown keys, %j, has none", (text) => {
  expect(readNotificationMessage(`process-1 ${text}`)).toEqual({ sender: "process-1", keys: undefined });
});
