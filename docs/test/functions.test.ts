import { readFile } from "node:fs/promises";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { expect, it } from "vitest";

it("the functions page lists exactly the functions that a host can call", async () => {
  await using hookwright = await createHookwright({ store: memoryStore(), secret: "s".repeat(32) });
  const page = await readFile(new URL("../reference/functions.md", import.meta.url), "utf8");
  const documented = [...page.matchAll(/`((?:\w+\.)?\w+)\(/gu)].map(([, name = ""]) => name);
  const groups = Object.entries(hookwright).filter(
    ([name, value]) => typeof value === "object" && !["admin", "app", "metrics", "scheduler"].includes(name),
  );
  const functions = groups.flatMap(([group, members]) =>
    Object.keys(members).map((member) => `${group}.${member}`),
  );
  expect(documented.toSorted()).toEqual(
    [
      ...functions,
      "close",
      "publish",
      "publishInTransaction",
      "publishMany",
      "stats",
      "validateEvent",
    ].toSorted(),
  );
});
