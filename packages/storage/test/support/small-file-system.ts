import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/** Returns why a small file system cannot be mounted, if so. Mounting requires root on Linux. */
export async function whyNoSmallFileSystem(): Promise<string | undefined> {
  const script =
    'd=$(mktemp -d) && mount -t tmpfs -o size=1m tmpfs "$d" && umount "$d"; e=$?; rmdir "$d"; exit $e';
  return run("sh", ["-c", script]).then(
    () => undefined,
    (error: unknown) => String(error).split("\n", 2).join(" "),
  );
}

/** Mounts a file system of that size until the end of the test. */
export async function mountSmallFileSystem(megabytes: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-full-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory]);
  onTestFinished(async () => void (await run("umount", ["--lazy", directory])));
  return directory;
}
