import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestContext } from "vitest";

/** A folder that goes when the test does. The context is the test's own, since tests may run at once. */
export function temporaryFolder({ onTestFinished }: Pick<TestContext, "onTestFinished">): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "hookwright-scripts-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
