import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCertificate } from "../../packages/delivery/test/transport/support/certificate.ts";
import { createTenants, environmentOn, startOn } from "./support/fleet.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import type { RedisServer } from "./support/redis-server.ts";
import { runCommand } from "./support/run-command.ts";
import { runToEnd } from "./support/server-process.ts";

/** A Redis that requires a client certificate, which is the default with TLS. */
function startAskingRedis(): Promise<RedisServer> {
  const authority = createCertificate({ name: "An authority of ours", isAuthority: true });
  const { cert, key } = createCertificate({ name: "127.0.0.1", issuer: authority });
  return startRedisServer(["--tls-auth-clients", "yes"], { tls: { authority: authority.cert, cert, key } });
}

function filesOf({ directory }: RedisServer) {
  return {
    HOOKWRIGHT_REDIS_CA: join(directory, "authority.pem"),
    HOOKWRIGHT_REDIS_CERT: join(directory, "certificate.pem"),
    HOOKWRIGHT_REDIS_KEY: join(directory, "key.pem"),
  };
}

const run = (environment: Record<string, string>, ...commandLine: string[]) =>
  runCommand(commandLine, environment);

describe.runIf(hasRedisServer)("a Redis that requires a client certificate", () => {
  it("works for serve and export with the files from the variables, and says what to do without", async () => {
    await using redis = await startAskingRedis();
    await using server = await startOn(redis.url, "all", filesOf(redis));
    await createTenants(server, 1, "https://example.com/hooks");
    await server.stop();
    const env = { ...environmentOn(redis.url), ...filesOf(redis) };
    const exported = await runToEnd({ args: ["export", "--account", "acc_0"], env });
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining("tenant-0@example.com") });
    const { HOOKWRIGHT_REDIS_CA } = filesOf(redis);
    const refused = await run({ ...environmentOn(redis.url), PORT: "0", HOOKWRIGHT_REDIS_CA }, "serve");
    expect(refused).toMatchObject({ code: 1, complained: expect.stringContaining("HOOKWRIGHT_REDIS_CERT") });
  });
});

describe("a file of a certificate", () => {
  const env = { ...environmentOn("rediss://127.0.0.1:1"), HOOKWRIGHT_REDIS_CA: "/nowhere/ca.pem" };

  it.each([["serve"], ["export", "--account", "acc_0"], ["import"]])(
    "that does not exist is named by hookwright %s",
    async (...args) => {
      expect(await run(env, ...args)).toMatchObject({
        code: 2,
        complained: expect.stringMatching(/HOOKWRIGHT_REDIS_CA must be .*"?\/nowhere\/ca\.pem/u),
      });
    },
  );

  it("without a certificate is refused at start-up", async () => {
    const certificate = { HOOKWRIGHT_REDIS_CA: import.meta.filename };
    const { code, complained } = await run({ ...env, PORT: "0", ...certificate }, "serve");
    expect(code).toBe(1);
    expect(complained).toMatch(/PEM.*HOOKWRIGHT_REDIS_CA/u);
  });

  it("given as text instead of a path is not shown", async () => {
    const { key, cert } = createCertificate({ name: "127.0.0.1" });
    const pasted = { HOOKWRIGHT_REDIS_KEY: key.replaceAll("\n", "\\n"), HOOKWRIGHT_REDIS_CERT: cert };
    const { code, complained } = await run({ ...env, ...pasted }, "serve");
    expect(code).toBe(2);
    expect(complained).toContain("HOOKWRIGHT_REDIS_KEY must be the path of a PEM file");
    expect(complained).not.toContain(key.slice(40, 60));
  });
});
