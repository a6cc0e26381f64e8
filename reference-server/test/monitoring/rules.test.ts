import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { toAnchor } from "../../../docs/.vitepress/to-anchor.ts";
import { hasProgram } from "../support/has-program.ts";

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly w: number };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

const operations = fileURLToPath(new URL("../../../docs/operations", import.meta.url));
const folder = path.join(operations, "monitoring");
const read = (name: string): string => readFileSync(path.join(operations, name), "utf8");
const namesOf = (ending: string): string[] => readdirSync(folder).filter((name) => name.endsWith(ending));

const rules = namesOf(".rules.yml").flatMap((name): Rule[] =>
  parse(read(`monitoring/${name}`)).groups.flatMap(
    (group: { readonly rules: readonly Rule[] }) => group.rules,
  ),
);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const dashboard: {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly templating: { readonly list: readonly { readonly name: string }[] };
} = JSON.parse(read("monitoring/dashboard.json"));
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
/** Where the pages are public. */
const repository: string = JSON.parse(
  readFileSync(path.join(operations, "../../package.json"), "utf8"),
).repository.url.replace(/^git\+|\.git$/gu, "");
const sections = [...read("runbook.md").matchAll(/^## (.+)$/gmu)].map(([, heading = ""]) => heading);

/** Metrics and their labels from the table on the monitoring page, which a test compares with `/metrics`. */
const metrics = new Map<string, readonly string[]>();
for (const row of read("monitoring.md").matchAll(/^\| (`\w+`[^|]*)\| (\w+) \|([^|]*)\|/gmu)) {
  const [, names = "", type, labels = ""] = row;
  const words = (text: string): string[] => [...text.matchAll(/`(\w+)`/gu)].map(([, word = ""]) => word);
  for (const name of words(names)) {
    if (type !== "histogram") metrics.set(name, words(labels));
    else
      for (const suffix of ["bucket", "sum", "count"])
        metrics.set(`${name}_${suffix}`, [...words(labels), "le"]);
  }
}
// Prometheus itself adds these.
metrics.set("up", []);
metrics.set("ALERTS", ["alertname", "alertstate"]);
for (const { record } of rules) if (record !== undefined) metrics.set(record, []);

/** The metrics of an expression with the labels that it selects by. */
function selectorsOf(expression: string): { readonly metric: string; readonly labels: readonly string[] }[] {
  return [...expression.matchAll(/([A-Za-z_:][\w:]*)\s*(?:\{([^}]*)\}|(?=\[|\)| |$))/gu)]
    .filter(([, name = ""]) => /^(?:hookwright_|process_|nodejs_|up$|ALERTS$)|:/u.test(name))
    .map(([, metric = "", labels = ""]) => ({
      metric,
      labels: [...labels.matchAll(/(\w+)\s*[=!]/gu)].map(([, label = ""]) => label),
    }));
}

/** The metrics and labels of an expression that do not exist. */
function findUnknown(expression: string): string[] {
  return selectorsOf(expression).flatMap(({ metric, labels }) => {
    const known = metrics.get(metric);
    if (known === undefined) return [metric];
    return labels.filter((label) => !["job", "instance", ...known].includes(label));
  });
}

const mayRun = hasProgram("promtool", "prometheus");

describe("the rules", () => {
  it.each(rules)("$alert$record uses existing metrics and labels", ({ expr }) => {
    expect(selectorsOf(expr).length).toBeGreaterThan(0);
    expect(findUnknown(expr)).toEqual([]);
  });

  it.skipIf(!mayRun)("promtool accepts them", () => {
    const files = namesOf(".rules.yml");
    expect(spawnSync("promtool", ["check", "rules", "--lint-fatal", ...files], { cwd: folder }).status).toBe(
      0,
    );
  });

  it.skipIf(!mayRun)("promtool runs their tests, and each alert has one", () => {
    const files = namesOf(".test.yml");
    const tests = files.map((name) => read(`monitoring/${name}`)).join("\n");
    for (const { alert = "" } of alerts) expect(tests).toContain(`alertname: ${alert}\n`);
    const { status, stdout } = spawnSync("promtool", ["test", "rules", ...files], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining("SUCCESS")]);
  });
});

describe("the alerts", () => {
  it.each(alerts)("$alert says how bad it is and what to do", ({ alert = "", labels, annotations }) => {
    expect(labels?.["severity"]).toMatch(/^(?:critical|warning)$/u);
    expect(annotations).toEqual({
      summary: expect.stringMatching(/\.$/u),
      description: expect.stringMatching(/\.$/u),
      runbook_url: `${repository}/blob/main/docs/operations/runbook.md#${toAnchor(alert)}`,
    });
  });

  it("each has a section in the runbook, in the same order, and each section an alert", () => {
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
  });

  it("each section says what to look at, to decide, to do and to check, in ten lines or so", () => {
    for (const section of read("runbook.md").split(/^## /mu).slice(1)) {
      const lines = section.split("\n").filter((line) => line.trim() !== "" && !line.includes("```"));
      for (const word of ["**Alert:**", "**Look:**", "**Decide:**", "**Do:**", "**Check:**"])
        expect(section).toContain(word);
      expect(lines.slice(12)).toEqual([]);
    }
  });
});

describe("the dashboard", () => {
  it("has panels with unique ids on the provisioned data source", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, datasource, targets = [], gridPos } of dashboard.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      if (type === "row") continue;
      expect(targets.length).toBeGreaterThan(0);
      for (const source of [datasource, ...targets.map((target) => target.datasource)])
        expect(source?.uid).toBe("prometheus");
    }
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(["job", "instance"]);
  });

  it("uses existing metrics and labels", () => {
    const all = [...queries, ...dashboard.annotations.list.map(({ expr }) => expr)];
    expect(all.filter((expr) => selectorsOf(expr).length === 0)).toEqual([]);
    expect(all.flatMap(findUnknown)).toEqual([]);
  });

  it.skipIf(!mayRun)("promtool parses its queries", () => {
    const temporary = mkdtempSync(path.join(tmpdir(), "hookwright-dashboard-"));
    const rules = queries.map((expr, index) => ({
      record: `dashboard:query_${index}`,
      expr: expr.replaceAll("$__rate_interval", "1m").replaceAll(/\$(?:job|instance)/gu, ".*"),
    }));
    const file = path.join(temporary, "dashboard.rules.yml");
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    try {
      expect(execFileSync("promtool", ["check", "rules", file], { encoding: "utf8" })).toContain(
        `SUCCESS: ${queries.length} rules found`,
      );
    } finally {
      rmSync(temporary, { recursive: true });
    }
  });
});
