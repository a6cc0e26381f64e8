import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { hasProgram } from "../support/has-program.ts";
import { hasPostgresServer } from "../support/postgres-server.ts";
import { hasRedisServer } from "../support/redis-server.ts";

const script = fileURLToPath(new URL("../../deploy/try-cluster.ts", import.meta.url));
const hasOthers = hasProgram("caddy") && hasProgram("prometheus");
// The script uses `await using`.
const isNewNode = Number(process.versions.node.split(".")[0]) >= 24;

describe.skipIf(!hasOthers || !isNewNode)("the script from nothing to two workers behind TLS", () => {
  it.each(
    (hasPostgresServer ? ["postgres"] : []).concat(
      process.env["CI"] !== "true" && hasRedisServer ? ["redis"] : [],
    ),
  )(
    "delivers an event on %s, and Prometheus sees all processes",
    async (storage) => {
      const { stdout } = await promisify(execFile)(process.execPath, [script, "--storage", storage]);
      expect(stdout).toContain("scrapes 3 processes");
      expect(stdout).toContain("verified by a receiver");
      expect(stdout).toContain("the log shows it through TLS");
    },
    90_000,
  );
});
