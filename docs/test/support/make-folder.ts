import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];

// Not `onTestFinished`: with concurrent tests it may belong to another test, which ends earlier.
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Creates an empty folder that is removed after the tests of the file. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "hookwright-docs-"));
  folders.push(folder);
  return folder;
}
