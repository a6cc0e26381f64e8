import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { hasProgram } from "../support/has-program.ts";
import { hasPostgresServer } from "../support/postgres-server.ts";

const script = fileURLToPath(new URL("../../deploy/try-cluster.ts", import.meta.url));
// The script uses `await using`.
const isNewNode = Number(process.versions.node.split(".")[0]) >= 24;

const mayRun = hasProgram("caddy") && hasProgram("prometheus") && hasPostgresServer && isNewNode;

it.skipIf(!mayRun)(
  "the script goes from nothing to two workers behind TLS, and delivers an event",
  { tags: ["long"], timeout: 90_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(stdout).toMatch(/scrapes 3 processes and has [1-9]\d* alerts/u);
    expect(stdout).toContain("verified by a receiver");
    expect(stdout).toContain("the log shows it through TLS");
  },
);
