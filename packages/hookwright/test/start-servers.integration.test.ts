import { expect, it, onTestFinished, vi } from "vitest";
import type { ProvidedContext } from "vitest";

it("a server that does not start fails its own suites, not the run", async () => {
  vi.stubEnv("CI", "true");
  vi.stubEnv("REDIS_SERVER", "no-such-server");
  vi.resetModules();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    // Other test files share this process, and need modules that found the servers.
    vi.resetModules();
  });
  const { default: startServers } = await import("./end-to-end/support/start-servers.ts");
  let servers: ProvidedContext["storageServers"] | undefined;
  const stop = await startServers({ provide: (_key, value) => void (servers = value) });
  await stop();
  const failure = expect.stringMatching(/^The suites on Redis need no-such-server on the path: .*\.$/u);
  const url = expect.stringMatching(/^postgres:/u);
  expect(servers).toEqual({ redis: { failure }, cluster: { failure }, postgres: { url } });
});
