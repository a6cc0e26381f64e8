import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestContext } from "vitest";

/** Creates a folder that is removed after the test. Concurrent tests need their own context. */
export function temporaryFolder({ onTestFinished }: Pick<TestContext, "onTestFinished">): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "hookwright-scripts-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
