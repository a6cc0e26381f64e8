import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
const script = fileURLToPath(new URL("support/resolve-without-files.ts", import.meta.url));

describe.skipIf(process.platform === "win32")("a process that has all the files open that it may", () => {
  it.each(["localhost", "hooks.example.com"])("is not told that there is no %s", async (hostname) => {
    const limited = `ulimit -n 128 && exec "$0" "$@"`;
    const { stdout } = await run("sh", ["-c", limited, process.execPath, script, hostname]);
    expect(stdout.trim()).toBe("a lack of descriptors");
  });
});
