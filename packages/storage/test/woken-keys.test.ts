import { expect, it } from "vitest";
import { createPartitionWatchers } from "../src/commit/partition-watchers.ts";
import { createWokenKeys } from "../src/commit/woken-keys.ts";
import type { Key } from "../src/port.ts";
import { readWakeMessage, writeWakeMessage } from "../src/commit/wake-message.ts";

const one: Key = ["p05", "fresh", "acc_1"];
const two: Key = ["p05", "fresh", 2];

it("wake-ups of one moment are one, with each of their keys once", async () => {
  const watchers = createPartitionWatchers();
  const heard: unknown[] = [];
  watchers.watch("p05", (beneath) => heard.push(beneath));
  watchers.wake("p05", [one]);
  watchers.wake("p05", [two, [...one]]);
  watchers.wake("p06", [["p06", "elsewhere"]]);
  await Promise.resolve().then(() => {});
  expect(heard).toEqual([[one, two]]);
  watchers.wake("p05", [one]);
  watchers.wake("p05");
  watchers.wake("p05", [two]);
  await Promise.resolve().then(() => {});
  expect(heard.slice(1)).toEqual([undefined]);
});

it("more keys than are worth telling say that anything may be new", () => {
  const woken = createWokenKeys();
  const keys = Array.from({ length: 257 }, (_, index): Key => ["p05", index]);
  woken.add(keys.slice(0, 256));
  woken.add(keys.slice(0, 256));
  expect(woken.joined()).toHaveLength(256);
  woken.add(keys.slice(256));
  expect(woken.joined()).toBeUndefined();
  woken.add([one]);
  expect(woken.joined()).toBeUndefined();
});

it.each<[what: string, beneath: readonly Key[] | undefined]>([
  ["no keys", undefined],
  ["a key", [one]],
  ["keys of any characters", [one, two, ["p05", 'a "b" \n\u0000 ü', -1, ""]]],
])("a message between processes says who sends it, and %s", (_, beneath) => {
  const message = writeWakeMessage({ name: "process-1", beneath });
  expect(readWakeMessage(message)).toEqual({ name: "process-1", beneath });
});

it("a message that would be long names no keys", () => {
  const beneath = Array.from({ length: 200 }, (_, index): Key => ["p05", "x".repeat(40), index]);
  expect(writeWakeMessage({ name: "process-1", beneath })).toBe("process-1");
  expect(writeWakeMessage({ name: "process-1", beneath: [] })).toBe("process-1");
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
])("a message that this version does not know, %j, says that anything may be new", (text) => {
  expect(readWakeMessage(`process-1 ${text}`)).toEqual({ name: "process-1", beneath: undefined });
});
