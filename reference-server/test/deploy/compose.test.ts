import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { describeUnknownVariables } from "../../src/options/unknown-variables.ts";
import { parseStorageLocation } from "../../src/storage-location.ts";
import { hasProgram } from "../support/has-program.ts";

interface Service {
  readonly image: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly restart: string;
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const folder = fileURLToPath(new URL("../../deploy", import.meta.url));
const compose: Compose = parse(readFileSync(path.join(folder, "compose.yaml"), "utf8"), { merge: true });
const services = Object.entries(compose.services);
const processes = ["api", "worker-1", "worker-2"];

describe("the compose file", () => {
  it("starts an api process and two workers, a proxy, a storage of each kind and the monitoring", () => {
    expect(Object.keys(compose.services)).toEqual([
      ...processes,
      "postgres",
      "redis",
      "caddy",
      "prometheus",
      "grafana",
    ]);
    expect(compose.services["postgres"]?.profiles).toEqual(["postgres"]);
    expect(compose.services["redis"]?.profiles).toEqual(["redis"]);
    expect(processes.map((name) => compose.services[name]?.environment?.["HOOKWRIGHT_ROLE"])).toEqual([
      "api",
      "worker",
      "worker",
    ]);
  });

  it.each(services)("%s is hardened, restarts and has a health check", (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      restart: "unless-stopped",
    });
    // A colon in a text without quotes would make it a mapping.
    expect(service.healthcheck.test.map((part) => typeof part)).not.toContain("object");
    expect(service.healthcheck.test[0]).toBe("CMD");
  });

  it("has a tag for each image of others, and a variable that can pin its digest", () => {
    const images = services.filter(([name]) => !processes.includes(name)).map(([, { image }]) => image);
    expect(images.length).toBe(5);
    expect(images.filter((image) => !/^\$\{[A-Z]+_IMAGE:-[\w./-]+:v?\d[\w.-]*\}$/u.test(image))).toEqual([]);
  });

  it("makes only Caddy public", () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(published.filter((each) => !each.includes(" 127.0.0.1:"))).toEqual([
      "caddy 80:80",
      "caddy 443:443",
      "caddy 443:443/udp",
    ]);
    for (const name of ["edge", "data", "monitoring"]) expect(compose.networks[name]?.internal).toBe(true);
    for (const name of ["postgres", "redis"]) expect(compose.services[name]?.networks).toEqual(["data"]);
  });

  it("names only networks, volumes, secrets, services and files that exist", () => {
    for (const [, service] of services) {
      for (const name of service.networks) expect(compose.networks).toHaveProperty([name]);
      for (const name of Object.keys(service.depends_on ?? {}))
        expect(compose.services).toHaveProperty([name]);
      for (const secret of service.secrets ?? [])
        expect(compose.secrets).toHaveProperty([typeof secret === "string" ? secret : secret.source]);
      for (const volume of service.volumes ?? []) {
        const [source = ""] = volume.split(":");
        if (!source.startsWith(".")) expect(compose.volumes).toHaveProperty([source]);
        else expect(existsSync(path.join(folder, source))).toBe(true);
      }
    }
  });

  it("sets no unknown variable, and no secret but in files", () => {
    for (const name of processes) {
      const environment = compose.services[name]?.environment ?? {};
      expect(describeUnknownVariables(environment)).toEqual([]);
      expect(environment["HOOKWRIGHT_SECRET_FILE"]).toBe("/run/secrets/hookwright_secret");
      for (const secret of [
        "HOOKWRIGHT_SECRET",
        "HOOKWRIGHT_HOST_TOKEN",
        "HOOKWRIGHT_METRICS_TOKEN",
        "SMTP_URL",
      ])
        expect(environment).not.toHaveProperty(secret);
    }
  });

  it("finds every secret that the page on installing creates", () => {
    const page = readFileSync(path.join(folder, "../../docs/operations/install.md"), "utf8");
    const [, commands = ""] = /```sh\n(mkdir -m 700 secrets\n.*?)```/su.exec(page) ?? [];
    const temporary = mkdtempSync(path.join(tmpdir(), "hookwright-compose-"));
    try {
      execFileSync("bash", ["-euc", commands], { cwd: temporary });
      for (const [name, { file }] of Object.entries(compose.secrets)) {
        const { length } = readFileSync(path.join(temporary, file), "utf8").trim();
        if (name === "secret_previous") expect(length).toBe(0);
        else expect(length).toBeGreaterThan(32);
      }
      const url = readFileSync(path.join(temporary, "secrets/storage_url"), "utf8").trim();
      const password = readFileSync(path.join(temporary, "secrets/postgres_password"), "utf8").trim();
      expect(parseStorageLocation(url)).toMatchObject({ type: "postgres" });
      expect(url).toContain(`:${password}@postgres:5432/hookwright`);
    } finally {
      rmSync(temporary, { recursive: true });
    }
  });

  it("gives Prometheus the three processes as targets", () => {
    const groups: readonly { targets: readonly string[] }[] = parse(
      readFileSync(path.join(folder, "prometheus/targets/hookwright.yml"), "utf8"),
    );
    expect(groups.flatMap(({ targets }) => targets)).toEqual(processes.map((name) => `${name}:9464`));
  });
});

it.skipIf(!hasProgram("promtool", "prometheus"))("Prometheus accepts its configuration", () => {
  const file = path.join(folder, "prometheus/prometheus.yml");
  expect(
    execFileSync("promtool", ["check", "config", "--syntax-only", file], { encoding: "utf8" }),
  ).toContain("SUCCESS");
});
