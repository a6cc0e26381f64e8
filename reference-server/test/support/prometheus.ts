import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeServiceFolder, startService } from "../../../packages/storage/test/support/service.ts";
import { findFreePort } from "../../../packages/storage/test/support/free-port.ts";

export interface Prometheus extends AsyncDisposable {
  readonly url: string;
  /** Resolves with the health of each target, by its address, when all of them have been scraped. */
  scraped(): Promise<ReadonlyMap<string, string>>;
  /** The names of the alerts. */
  alerts(): Promise<readonly string[]>;
  /** The names of the alerts that fire at present. */
  firing(): Promise<readonly string[]>;
  /** The value of an expression without labels, or NaN. */
  query(expression: string): Promise<number>;
}

export interface PrometheusOptions {
  readonly metricsToken: string;
  /** Host and port of each admin listener, by the role of the process. */
  readonly targets: Readonly<Record<string, readonly string[]>>;
  /** Changes the rules, for tests that cannot wait for minutes. */
  readonly editRules?: (text: string) => string;
}

const shipped = fileURLToPath(new URL("../../deploy/prometheus/prometheus.yml", import.meta.url));
const ruleFolder = fileURLToPath(new URL("../../../docs/operations/monitoring", import.meta.url));

/** A real Prometheus with the configuration and the rules that we ship. It only scrapes and evaluates more often. */
export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const folder = await makeServiceFolder("hookwright-prometheus-");
  await writeConfiguration(folder, options);
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const service = await startService({
    name: "Prometheus",
    program: "prometheus",
    args: [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    ready: /ready to receive web requests/u,
  });
  const get = async (route: string) => (await (await fetch(`${url}/api/v1/${route}`)).json()).data;
  return {
    url,
    async scraped() {
      for (;;) {
        const found: readonly { scrapeUrl: string; health: string }[] = (await get("targets")).activeTargets;
        if (found.length > 0 && found.every(({ health }) => health !== "unknown"))
          return new Map(found.map(({ scrapeUrl, health }) => [new URL(scrapeUrl).host, health]));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async alerts() {
      const groups: readonly { rules: readonly { name: string; type: string }[] }[] = (await get("rules"))
        .groups;
      return groups.flatMap(({ rules }) =>
        rules.filter(({ type }) => type === "alerting").map(({ name }) => name),
      );
    },
    async firing() {
      const alerts: readonly { state: string; labels: { alertname: string } }[] = (await get("alerts"))
        .alerts;
      return alerts.flatMap(({ state, labels }) => (state === "firing" ? [labels.alertname] : []));
    },
    async query(expression) {
      const { result } = await get(`query?query=${encodeURIComponent(expression)}`);
      return Number(result[0]?.value[1] ?? Number.NaN);
    },
    async [Symbol.asyncDispose]() {
      await service.end("SIGKILL");
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function writeConfiguration(
  folder: string,
  { metricsToken, targets, editRules = (text) => text }: PrometheusOptions,
): Promise<void> {
  const text = await readFile(shipped, "utf8");
  await writeFile(
    path.join(folder, "prometheus.yml"),
    // A scrape may take more than a second.
    text
      .replace("scrape_interval: 15s", "scrape_interval: 1500ms")
      .replace("evaluation_interval: 15s", "evaluation_interval: 1s"),
  );
  await writeFile(path.join(folder, "metrics_token"), metricsToken);
  await mkdir(path.join(folder, "targets"));
  // JSON is YAML.
  const groups = Object.entries(targets).map(([role, hosts]) => ({ targets: hosts, labels: { role } }));
  await writeFile(path.join(folder, "targets/hookwright.yml"), JSON.stringify(groups));
  await mkdir(path.join(folder, "rules"));
  const rules = await readdir(ruleFolder).catch(() => []);
  for (const name of rules)
    if (name.endsWith(".rules.yml")) {
      const rules = editRules(await readFile(path.join(ruleFolder, name), "utf8"));
      await writeFile(path.join(folder, "rules", name), rules);
    }
}
