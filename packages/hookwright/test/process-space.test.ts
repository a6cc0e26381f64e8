import { execFile } from "node:child_process";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { processSpace } from "../src/process-space.ts";

it("two processes of one machine answer the same", async () => {
  const path = new URL("../src/process-space.ts", import.meta.url).href;
  const program = `
    const { processSpace } = await import(${JSON.stringify(path)});
    process.stdout.write(processSpace());
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stdout).toBe(processSpace());
});

// Elsewhere the name of the host is all there is.
it.runIf(process.platform === "linux")(
  "the host, its boot and the namespace of process numbers are named",
  () => {
    const [host, boot, namespace, ...more] = processSpace().split(" ");
    expect(host).toBe(hostname());
    expect(boot).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(namespace).toMatch(/^pid:\[\d+\]$/);
    expect(more).toEqual([]);
  },
);
