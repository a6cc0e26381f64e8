import { appendFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { maxLogBytes, openNotificationLog } from "../src/filesystem/notification-log.ts";
import type { Key } from "../src/port.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const one: Key = ["p05", "fresh", "acc_ü", 1];
const two: Key = ["p06", "fresh", "acc_2"];
const sender = "process-1";

async function openLogs() {
  const path = join(await temporaryDirectory(), "notifications");
  const [writing, reading] = [openNotificationLog(path), openNotificationLog(path)];
  onTestFinished(() => [writing, reading].forEach((log) => log.close()));
  reading.skip();
  return { path, writing, reading };
}

it("each message is read once, and messages before a skip are never read", async () => {
  const { writing, reading } = await openLogs();
  writing.append({ sender, keys: [["p01", "before"]] });
  reading.skip();
  writing.append({ sender, keys: [one, two] });
  writing.append({ sender, keys: undefined });
  expect(reading.read()).toEqual([
    { sender, keys: [one, two] },
    { sender, keys: undefined },
  ]);
  expect(reading.read()).toEqual([]);
});

it("an incomplete line is read when it is complete", async () => {
  const { path, reading } = await openLogs();
  appendFileSync(path, '0123456789abcdef process-1 [["p0');
  expect(reading.read()).toEqual([]);
  appendFileSync(path, '5","ü"]]\n');
  expect(reading.read()).toEqual([{ sender, keys: [["p05", "ü"]] }]);
});

it("after a large file is truncated, a reader learns that messages may be lost", async () => {
  const { path, writing, reading } = await openLogs();
  const keys = Array.from({ length: 500 }, (_, index): Key => ["p05", "x".repeat(40), index]);
  while (statSync(path).size <= maxLogBytes) writing.append({ sender, keys });
  expect(reading.read()?.length).toBeGreaterThan(30);
  writing.append({ sender, keys: [one] });
  expect(statSync(path).size).toBeLessThan(100);
  expect(reading.read()).toBeUndefined();
  writing.append({ sender, keys: [two] });
  expect(reading.read()).toEqual([{ sender, keys: [two] }]);
  // The file is longer again than before.
  truncateSync(path);
  for (let line = 0; line < 10; line++) writing.append({ sender, keys });
  expect(reading.read()).toBeUndefined();
});
