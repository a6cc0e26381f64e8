import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { isProcessAlive, processNamespace } from "../src/process-identity.ts";

it("a running process is alive, and an ended one is not", async () => {
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

it("a process of another user is alive", () => {
  // Root may signal all processes, so the error is simulated.
  const denied = Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  using _kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw denied;
  });
  expect(isProcessAlive(1)).toBe(true);
});

it("two processes of one machine have the same namespace", async () => {
  const path = new URL("../src/process-identity.ts", import.meta.url).href;
  const program = `
    const { processNamespace } = await import(${JSON.stringify(path)});
    process.stdout.write(processNamespace());
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stdout).toBe(processNamespace());
});

// On other systems, only the host name is available.
it.runIf(process.platform === "linux")(
  "the namespace contains the host name, the boot id and the PID namespace",
  () => {
    const [host, boot, namespace, ...more] = processNamespace().split(" ");
    expect(host).toBe(hostname());
    expect(boot).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(namespace).toMatch(/^pid:\[\d+\]$/);
    expect(more).toEqual([]);
  },
);
