import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { startServer } from "./support/server-process.ts";

/** The threads of a process by name, with their niceness (field 19 of `stat`, counted from behind the name). */
function threadsOf(pid: number): readonly { readonly name: string; readonly niceness: number }[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [, name = "", rest = ""] =
      /^\d+ \((.*)\) (.*)$/su.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")) ?? [];
    return { name, niceness: Number(rest.split(" ")[16]) };
  });
}

it.runIf(process.platform === "linux")("V8's threads give way to the one that serves", async () => {
  await using server = await startServer({ env: { HOOKWRIGHT_STORAGE: "memory" } });
  const threads = threadsOf(server.pid);
  const helpers = threads.filter(({ name }) => name.includes("V8Worker"));
  expect(helpers.length).toBeGreaterThan(0);
  expect(new Set(helpers.map(({ niceness }) => niceness))).toEqual(new Set([10]));
  const others = threads.filter((thread) => !helpers.includes(thread));
  expect(others.every(({ niceness }) => niceness < 10)).toBe(true);
});
