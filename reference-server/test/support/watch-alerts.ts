import { until } from "./fleet.ts";
import { startPrometheus } from "./prometheus.ts";
import type { ServerProcess } from "./server-process.ts";

const metricsToken = "token-for-these-metrics";
/** The environment of a process that Prometheus scrapes. */
export const adminPort = { HOOKWRIGHT_METRICS_TOKEN: metricsToken, HOOKWRIGHT_ADMIN_PORT: "0" };

/** Starts Prometheus for these processes. From when all is well, collects the alerts that fire, also those that end. */
export async function watchProcesses(stack: AsyncDisposableStack, processes: readonly ServerProcess[]) {
  const targets = { all: processes.map(adminHost) };
  const prometheus = stack.use(await startPrometheus({ metricsToken, targets, editRules: shorten }));
  await until(async () => {
    if ((await prometheus.query("sum(hookwright_partitions_leased)")) !== 64) return false;
    return (await prometheus.firing()).every((name) => name !== "HookwrightAbsent");
  });
  const seen = new Set<string>();
  let isClosed = false;
  const watching = (async () => {
    while (!isClosed) {
      for (const name of await prometheus.firing()) seen.add(name);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  stack.defer(async () => {
    isClosed = true;
    await watching;
  });
  return {
    prometheus,
    /** Waits for these alerts, and returns those that did not fire in time. */
    missing: async (names: readonly string[]): Promise<readonly string[]> => {
      await until(() => names.every((name) => seen.has(name)), 45_000).catch(() => {});
      return names.filter((name) => !seen.has(name));
    },
  };
}

/** Host and port of the admin listener. */
export function adminHost({ stdout }: Pick<ServerProcess, "stdout">): string {
  const [, host = ""] = /"admin_url":"http:\/\/([^"]+)"/u.exec(stdout) ?? [];
  return host;
}

// Faults that last for minutes are shortened: seconds instead of minutes, and 3 s instead of limits of 30 s and more.
function shorten(rules: string): string {
  return rules
    .replaceAll(/for: \d+m/gu, "for: 1s")
    .replaceAll("[5m]", "[12s]")
    .replaceAll(/\[(?:10m|15m|1h)\]/gu, "[1m]")
    .replaceAll(/> (?:30|60)\b/gu, "> 3");
}
