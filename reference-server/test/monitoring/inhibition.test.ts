import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { makeServiceFolder, startService } from "../../../packages/storage/test/support/service.ts";
import type { Service } from "../../../packages/storage/test/support/service.ts";
import { findFreePort } from "../../../packages/storage/test/support/free-port.ts";
import { hasProgram } from "../support/has-program.ts";

type Labels = Readonly<Record<string, string>>;

interface Expected {
  readonly alertname: string;
  readonly exp_alerts?: readonly { readonly exp_labels: Labels }[];
}

const folder = fileURLToPath(new URL("../../../docs/operations/monitoring", import.meta.url));
const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");

/** The labels of each alert, as Prometheus sets them in the unit tests of the rules. */
const labelsOf = new Map<string, Labels>(
  parse(read("alerts.test.yml")).tests.flatMap((test: { readonly alert_rule_test: readonly Expected[] }) =>
    test.alert_rule_test.flatMap(({ alertname, exp_alerts = [] }) =>
      exp_alerts.map(({ exp_labels }): [string, Labels] => [alertname, { ...exp_labels, alertname }]),
    ),
  ),
);
const names = [...labelsOf.keys()];
const late = ["HookwrightDeliveryLag", "HookwrightFirstAttemptSlow"];

/** What each cause hides while all alerts fire. */
const effects: Readonly<Record<string, readonly string[]>> = {
  HookwrightAbsent: names.filter((name) => name !== "HookwrightAbsent"),
  HookwrightStorageDown: [
    "HookwrightProcessNotReady",
    "HookwrightPartitionsUnserved",
    "HookwrightLeasesLost",
    "HookwrightStorageSlow",
    "HookwrightOutboxLag",
    "HookwrightRequestsFailing",
    ...late,
  ],
  HookwrightPartitionsUnserved: ["HookwrightLeasesLost", ...late],
  HookwrightSecretUnreadable: late,
  HookwrightStorageSlow: ["HookwrightLeasesLost", ...late],
  HookwrightDeliveryLag: ["HookwrightFirstAttemptSlow"],
  HookwrightProcessRestarting: ["HookwrightLeasesLost"],
};

it("no alert is hidden by a less severe one", () => {
  const isCritical = (name: string): boolean => labelsOf.get(name)?.["severity"] === "critical";
  const wrong = Object.entries(effects).flatMap(([cause, hidden]) =>
    isCritical(cause) ? [] : hidden.filter(isCritical).map((effect) => `${cause} hides ${effect}`),
  );
  expect(wrong).toEqual([]);
});

describe.skipIf(!hasProgram("prometheus-alertmanager"))("Alertmanager with the rules", () => {
  let home = "";
  let url = "";
  let service: Service;
  beforeAll(async () => {
    home = await makeServiceFolder("hookwright-alertmanager-");
    const file = path.join(home, "alertmanager.yml");
    await writeFile(
      file,
      `route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n${read("alertmanager.inhibit.yml")}`,
    );
    url = `http://127.0.0.1:${await findFreePort()}`;
    service = await startService({
      name: "Alertmanager",
      program: "prometheus-alertmanager",
      args: [
        `--config.file=${file}`,
        `--storage.path=${home}/data`,
        `--web.listen-address=${new URL(url).host}`,
        "--cluster.listen-address=",
      ],
      ready: async () => {
        const { ok, status } = await fetch(`${url}/-/ready`);
        if (!ok) throw new Error(`status ${status}`);
      },
    });
  });
  afterAll(async () => {
    await service.end("SIGKILL");
    await rm(home, { recursive: true, force: true });
  });

  it.each(Object.entries(effects))("%s hides its effects, and only in its job", async (cause, hidden) => {
    const isOtherCause = (name: string): boolean => name in effects && !hidden.includes(name);
    const alert = (name: string, job: string) => ({ labels: { ...labelsOf.get(name), job } });
    const firing = [
      alert(cause, cause),
      ...names.filter((name) => name !== cause && !isOtherCause(name)).map((name) => alert(name, cause)),
      ...hidden.slice(0, 1).map((name) => alert(name, `not ${cause}`)),
    ];
    const response = await fetch(`${url}/api/v2/alerts`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(firing),
    });
    expect(response.status).toBe(200);
    const filter = encodeURIComponent(`job=~"(not )?${cause}"`);
    const inhibited = async (): Promise<readonly string[]> => {
      const alerts: readonly { labels: Labels; status: { inhibitedBy: readonly string[] } }[] = await (
        await fetch(`${url}/api/v2/alerts?filter=${filter}`)
      ).json();
      expect(alerts).toHaveLength(firing.length);
      return alerts
        .filter(({ status }) => status.inhibitedBy.length > 0)
        .map(({ labels }) => `${labels["job"]} ${labels["alertname"]}`)
        .toSorted();
    };
    await expect.poll(inhibited).toEqual(hidden.map((name) => `${cause} ${name}`).toSorted());
  });
});
