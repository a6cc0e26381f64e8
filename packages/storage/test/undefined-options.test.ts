import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { openFilesystemStore } from "../src/filesystem.ts";
import { memoryStore } from "../src/memory.ts";

interface Settings {
  readonly now: (() => number) | undefined;
  readonly sweepIntervalMs: number | undefined;
}

it("optional settings may be undefined", async ({ onTestFinished }) => {
  const directory = await mkdtemp(path.join(tmpdir(), "hookwright-storage-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const settings: Settings = { now: undefined, sweepIntervalMs: undefined };
  await using memory = memoryStore(settings);
  await using filesystem = await openFilesystemStore({ directory, ...settings });
  for (const store of [memory, filesystem]) {
    await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "greeting"], value: "hello" }] });
    expect(await store.get(["p00", "greeting"])).toBe("hello");
  }
});
