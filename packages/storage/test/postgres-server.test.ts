import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";

describe.runIf(hasPostgresServer)("the PostgreSQL of the tests", () => {
  it.skipIf(process.getuid?.() !== 0)("starts if only root may enter the temporary folder", async () => {
    // mkdtemp creates it with mode 0700.
    const folder = await mkdtemp(join(tmpdir(), "hookwright private "));
    onTestFinished(() => rm(folder, { recursive: true }));
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    await using server = await startPostgresServer();
    expect(await server.run("select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("says in one sentence why it does not start", async () => {
    const failure = await startPostgresServer(["-c", "max_connections=none"]).catch(String);
    expect(failure).toMatch(
      /^Error: PostgreSQL does not start: .*invalid value for parameter "max_connections".*$/u,
    );
  });
});
