import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, vi } from "vitest";
import { isProcessAlive } from "../src/process-alive.ts";

it("a process that runs is told from one that has ended", async () => {
  const child = spawn(process.execPath, ["--eval", "process.stdin.resume()"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  await once(child, "spawn");
  const { pid = 0 } = child;
  expect(isProcessAlive(pid)).toBe(true);
  child.stdin.end();
  await once(child, "exit");
  expect(isProcessAlive(pid)).toBe(false);
});

it("a process that belongs to somebody else runs", () => {
  // Whoever runs the tests as root may signal all of them.
  const denied = Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  using _kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw denied;
  });
  expect(isProcessAlive(1)).toBe(true);
});
