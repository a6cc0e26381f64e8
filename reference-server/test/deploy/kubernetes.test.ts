import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { describeUnknownVariables } from "../../src/options/unknown-variables.ts";
import { hostToken } from "../support/host-api.ts";
import { readImage } from "../support/image.ts";
import { startServer } from "../support/server-process.ts";

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  /** As parsed. The tests below are its schema. */
  readonly spec: ReturnType<typeof parse>;
}

const root = fileURLToPath(new URL("../../deploy/kustomize", import.meta.url));
const kustomization = (folder: string) =>
  parse(readFileSync(path.join(root, folder, "kustomization.yaml"), "utf8"));
const read = (folder: string): Manifest[] =>
  readdirSync(path.join(root, folder))
    .filter((name) => name !== "kustomization.yaml")
    .flatMap((name) =>
      parseAllDocuments(readFileSync(path.join(root, folder, name), "utf8")).map((document): Manifest => {
        expect(document.errors).toEqual([]);
        return document.toJS();
      }),
    );

const base = read("base");
const find = (kind: string): Manifest[] => base.filter((manifest) => manifest.kind === kind);
const deployments = find("Deployment");

describe("the Kustomize base", () => {
  it.each(["base", "overlays/example"])("%s lists its files", (folder) => {
    const files = kustomization(folder).resources.filter((name: string) => name.endsWith(".yaml"));
    expect(
      readdirSync(path.join(root, folder))
        .filter((name) => name !== "kustomization.yaml")
        .toSorted(),
    ).toEqual(files.toSorted());
  });

  it("has a deployment, a disruption budget and an autoscaler for each role", () => {
    expect(
      base.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`).toSorted(),
    ).toEqual([
      "apps/v1 Deployment hookwright-api",
      "apps/v1 Deployment hookwright-worker",
      "autoscaling/v2 HorizontalPodAutoscaler hookwright-api",
      "autoscaling/v2 HorizontalPodAutoscaler hookwright-worker",
      "networking.k8s.io/v1 NetworkPolicy hookwright",
      "policy/v1 PodDisruptionBudget hookwright-api",
      "policy/v1 PodDisruptionBudget hookwright-worker",
      "v1 Service hookwright-api",
      "v1 ServiceAccount hookwright",
    ]);
    for (const { spec, metadata } of find("HorizontalPodAutoscaler"))
      expect(spec.scaleTargetRef).toEqual({ apiVersion: "apps/v1", kind: "Deployment", name: metadata.name });
  });

  it.each(deployments)("$metadata.name meets the restricted pod security standard", async ({ spec }) => {
    const { spec: pod } = spec.template;
    const image = await readImage();
    const [userId] = image.user.split(":").map(Number);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: userId,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.containers).toHaveLength(1);
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });

  it.each(deployments)("$metadata.name has probes, limits, and time to drain", ({ spec, metadata }) => {
    const { spec: pod, metadata: labelled } = spec.template;
    const [container] = pod.containers;
    expect(spec.selector.matchLabels).toEqual(labelled.labels);
    expect(container.args).toEqual(["serve", "--role", metadata.name.replace("hookwright-", "")]);
    expect(container.livenessProbe.httpGet).toEqual({ path: "/healthz", port: "admin" });
    expect(container.startupProbe.httpGet).toEqual({ path: "/healthz", port: "admin" });
    expect(container.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "admin" });
    expect(container.ports.map(({ name }: { name: string }) => name)).toEqual(["http", "admin"]);
    expect(container.resources).toMatchObject({ requests: expect.anything(), limits: expect.anything() });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(15 + container.lifecycle.preStop.sleep.seconds);
    expect(pod.volumes[0].name).toBe(container.volumeMounts[0].name);
  });

  it("sets no unknown variable, and finds every secret that the overlay creates", () => {
    const [map] = kustomization("base").configMapGenerator;
    const [mapOfOverlay] = kustomization("overlays/example").configMapGenerator;
    const pairs = [...map.literals, ...mapOfOverlay.literals].map((text: string): [string, string] => {
      const [name = "", ...value] = text.split("=");
      return [name, value.join("=")];
    });
    expect(describeUnknownVariables(Object.fromEntries(pairs))).toEqual([]);
    const [secret] = kustomization("overlays/example").secretGenerator;
    const files = pairs.flatMap(([name, value]) => (name.endsWith("_FILE") ? [path.basename(value)] : []));
    expect(files.toSorted()).toEqual(secret.files.map((text: string) => text.split("=")[0]).toSorted());
  });

  it("changes no selector, so that a network policy keeps its peers", () => {
    expect(kustomization("base").labels).toEqual([{ pairs: { "app.kubernetes.io/name": "hookwright" } }]);
    const [service] = find("Service");
    const [api] = deployments;
    expect(api?.spec.template.metadata.labels).toMatchObject(service?.spec.selector);
  });

  it("has one network policy for all of its pods", () => {
    const [policy, ...others] = find("NetworkPolicy");
    expect(others).toEqual([]);
    for (const { spec } of deployments)
      expect(spec.template.metadata.labels).toMatchObject(policy?.spec.podSelector.matchLabels);
  });

  it("scales the workers by a metric that they have", async () => {
    const [, worker] = find("HorizontalPodAutoscaler");
    const { name, selector } = worker?.spec.metrics[0].pods.metric ?? {};
    expect(selector.matchLabels).toEqual({ health: "healthy" });
    await using server = await startServer({
      args: ["serve", "--role", "worker"],
      env: { HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_HOST_TOKEN: hostToken, HOOKWRIGHT_METRICS: "public" },
    });
    expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(
      new RegExp(`^${name}\\{health="healthy"\\} `, "mu"),
    );
  });
});

describe("the example overlay", () => {
  it("leads only the public routes outside", () => {
    const ingress = read("overlays/example").find(({ kind }) => kind === "Ingress");
    const [rule] = ingress?.spec.rules ?? [];
    const paths: readonly { path: string; backend: { service: { name: string } } }[] = rule.http.paths;
    expect(paths.map(({ path }) => path)).toEqual(["/v1", "/developer", "/console", "/reference"]);
    expect(new Set(paths.map(({ backend }) => backend.service.name))).toEqual(new Set(["hookwright-api"]));
  });
});
