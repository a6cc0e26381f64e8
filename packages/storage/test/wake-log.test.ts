import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, it, onTestFinished } from "vitest";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openWakeFile } from "../src/filesystem/wake-file.ts";
import { mostLogBytes, openWakeLog } from "../src/filesystem/wake-log.ts";
import type { Key } from "../src/port.ts";
import { openStoreProcess } from "./support/store-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const one: Key = ["p05", "fresh", "acc_ü", 1];
const two: Key = ["p05", "fresh", "acc_2"];

async function openLogs() {
  const path = join(await temporaryDirectory(), "wakes-log");
  const [adding, reading] = [openWakeLog(path), openWakeLog(path)];
  onTestFinished(() => [adding, reading].forEach((log) => log.close()));
  reading.skip();
  const readTold = () => reading.read()?.map(({ partition, beneath }) => ({ partition, beneath }));
  return { path, adding, reading, readTold };
}

/** A wake file that is looked at when the test says so. */
async function openWakes({ directory }: { readonly directory?: string } = {}) {
  const within = directory ?? (await temporaryDirectory());
  const heard: [partition: string, beneath: readonly Key[] | undefined][] = [];
  let look = (): void => {};
  const wakes = openWakeFile({
    directory: within,
    onWake: (...told) => heard.push(told),
    watchFile(_path, onChange) {
      look = onChange;
      return undefined;
    },
  });
  onTestFinished(() => wakes.close());
  wakes.listen();
  const logPath = join(within, "wakes-log");
  return {
    directory: within,
    logPath,
    wakes,
    heard,
    look: () => look(),
    /** The log as another process adds to it, which has yet to write its marks. */
    openLog() {
      const log = openWakeLog(logPath);
      onTestFinished(() => log.close());
      return log;
    },
    /** Another process writes the mark of p05, and it is looked at. */
    see(mark: Buffer) {
      const marks = readFileSync(join(within, "wakes"));
      mark.copy(marks, 5 * 8);
      writeFileSync(join(within, "wakes"), marks);
      look();
    },
  };
}

it("each line is read once, with its mark; what was there before is passed over", async () => {
  const { adding, reading } = await openLogs();
  adding.add("p01", [["p01", "before"]]);
  reading.skip();
  const marks = [adding.add("p05", [one, two]), adding.add("p06", undefined)].map((mark) =>
    mark.toString("hex"),
  );
  expect(reading.read()).toEqual([
    { mark: marks[0], partition: "p05", beneath: [one, two] },
    { mark: marks[1], partition: "p06", beneath: undefined },
  ]);
  expect(new Set(marks).size).toBe(2);
  expect(reading.read()).toEqual([]);
});

it("half a line waits for its other half", async () => {
  const { path, readTold } = await openLogs();
  appendFileSync(path, '0123456789abcdef p05 [["p0');
  expect(readTold()).toEqual([]);
  appendFileSync(path, '5","ü"]]\n');
  expect(readTold()).toEqual([{ partition: "p05", beneath: [["p05", "ü"]] }]);
});

it("a log that has grown large is begun anew, and whoever has not read all of it by then knows that some is gone", async () => {
  const { path, adding, reading, readTold } = await openLogs();
  const keys = Array.from({ length: 100 }, (_, index): Key => ["p05", "x".repeat(40), index]);
  while (statSync(path).size <= mostLogBytes) adding.add("p05", keys);
  expect(reading.read()?.length).toBeGreaterThan(40);
  adding.add("p05", [one]);
  expect(statSync(path).size).toBeLessThan(100);
  expect(reading.read()).toBeUndefined();
  adding.add("p05", [two]);
  expect(readTold()).toEqual([{ partition: "p05", beneath: [two] }]);
  // Another has begun it anew, and it is longer than ever.
  truncateSync(path);
  for (let line = 0; line < 10; line++) adding.add("p05", keys);
  expect(reading.read()).toBeUndefined();
});

it("of many processes that tell at once each line is read whole", async () => {
  const directory = await temporaryDirectory();
  await using first = await openStoreProcess("filesystem", directory);
  await using second = await openStoreProcess("filesystem", directory);
  await using here = await openFilesystemStore({ directory });
  const heard = new Set<string>();
  let ofEverything = 0;
  here.watch("p05", (beneath) => {
    if (beneath === undefined) ofEverything += 1;
    for (const key of beneath ?? []) heard.add(key.join("/"));
  });
  const told: string[] = [];
  for (let round = 0; round < 40; round++) {
    await Promise.all(
      [first, second].map((store, index) => {
        const key: Key = ["p05", "queue", index, round];
        told.push(key.join("/"));
        return store.commit("p05", { mutations: [], wake: [key] });
      }),
    );
  }
  await expect.poll(() => [...heard].toSorted()).toEqual(told.toSorted());
  // Two that write at once may write their marks in another order than their lines.
  expect(ofEverything).toBeLessThan(10);
  const before = ofEverything;
  await first.commit("p05", { mutations: [], wake: true });
  await expect.poll(() => ofEverything).toBeGreaterThan(before);
});

it("what several have told before the look is told together; anything, where one of them did not say what", async () => {
  const { directory, heard, look } = await openWakes();
  const other = openWakeFile({ directory, onWake: () => {} });
  onTestFinished(() => other.close());
  other.tell("p05", [one]);
  other.tell("p06", [["p06", "a"]]);
  other.tell("p05", [two, one]);
  look();
  expect(heard.splice(0)).toEqual([
    ["p05", [one, two]],
    ["p06", [["p06", "a"]]],
  ]);
  other.tell("p05", [one]);
  other.tell("p05");
  other.tell("p05", [two]);
  look();
  expect(heard.splice(0)).toEqual([["p05", undefined]]);
  other.tell("p05", [two]);
  look();
  expect(heard).toEqual([["p05", [two]]]);
});

it("a mark without its line says that anything may be new: of a process that knows no log, or once some of it is gone", async () => {
  const { directory, logPath, wakes, heard, look } = await openWakes();
  wakes.tell("p05", [one]);
  const marks = Buffer.alloc(64 * 8);
  marks.fill(1, 0, 8);
  marks.fill(2, 5 * 8, 6 * 8);
  writeFileSync(join(directory, "wakes"), marks);
  look();
  expect(heard.splice(0)).toEqual([
    ["p00", undefined],
    ["p05", undefined],
  ]);
  wakes.tell("p05", [one]);
  truncateSync(logPath);
  wakes.tell("p06", [["p06", "a"]]);
  look();
  expect(heard.splice(0)).toEqual([
    ["p05", undefined],
    ["p06", undefined],
  ]);
  wakes.tell("p06", [["p06", "a"]]);
  look();
  expect(heard).toEqual([["p06", [["p06", "a"]]]]);
});

it.each([
  { what: "is told with the mark", truncated: false, told: [one] },
  { what: "says less than the mark where others were lost meanwhile", truncated: true, told: undefined },
])("a line that is read before its mark is written $what", async ({ truncated, told }) => {
  const { logPath, wakes, heard, look, openLog, see } = await openWakes();
  const log = openLog();
  const mark = log.add("p05", [one]);
  wakes.tell("p06", [["p06", "a"]]);
  look();
  expect(heard.splice(0)).toEqual([["p06", [["p06", "a"]]]]);
  if (truncated) {
    log.add("p05", [two]);
    truncateSync(logPath);
  }
  see(mark);
  expect(heard).toEqual([["p05", told]]);
});

it("a line that is read with the one before it is told once, whichever mark is seen first", async () => {
  const { heard, openLog, see } = await openWakes();
  const log = openLog();
  const [first, second] = [log.add("p05", [one]), log.add("p05", [two])];
  see(first);
  expect(heard.splice(0)).toEqual([["p05", [one, two]]]);
  see(second);
  expect(heard).toEqual([]);
  // In another order than their lines: nobody can say what came before the mark that is seen last.
  const [earlier, later] = [log.add("p05", [one]), log.add("p05", [two])];
  see(later);
  see(earlier);
  expect(heard).toEqual([
    ["p05", [one, two]],
    ["p05", undefined],
  ]);
});

it("where a line is gone whose mark is still to come, that one too says that anything may be new", async () => {
  const { logPath, wakes, heard, look, openLog, see } = await openWakes();
  const log = openLog();
  log.add("p05", [one]);
  truncateSync(logPath);
  wakes.tell("p06", [["p06", "a"]]);
  look();
  expect(heard.splice(0)).toEqual([["p06", undefined]]);
  see(log.add("p05", [two]));
  expect(heard.splice(0)).toEqual([["p05", undefined]]);
  wakes.tell("p05", [one]);
  look();
  expect(heard).toEqual([["p05", [one]]]);
});

it("after a line that could not be added, the next one of its partition says no keys: they would be some of all", async () => {
  const { directory, logPath, wakes } = await openWakes();
  const away = join(directory, "away");
  appendFileSync(logPath, `${"x".repeat(mostLogBytes)}\n`);
  renameSync(logPath, away);
  wakes.tell("p05", [one]);
  renameSync(away, logPath);
  expect(statSync(logPath).size).toBeGreaterThan(mostLogBytes);
  wakes.tell("p05", [two]);
  wakes.tell("p06", [["p06", "a"]]);
  wakes.tell("p05", [two]);
  const texts = readFileSync(logPath, "utf8")
    .split("\n")
    .map((line) => line.slice(17));
  expect(texts).toEqual(["p05", 'p06 [["p06","a"]]', `p05 ${JSON.stringify([two])}`, ""]);
});

it("a directory whose log cannot be used is served all the same, and a warning says what that costs", async () => {
  const directory = await temporaryDirectory();
  mkdirSync(join(directory, "wakes-log"));
  const warned = once(process, "warning");
  const { heard, look, wakes } = await openWakes({ directory });
  expect((await warned)[0]).toMatchObject({
    code: "HOOKWRIGHT_WAKES_UNUSABLE",
    message: expect.stringContaining(join(directory, "wakes-log")),
  });
  wakes.tell("p05", [one]);
  look();
  expect(heard).toEqual([["p05", undefined]]);
});
