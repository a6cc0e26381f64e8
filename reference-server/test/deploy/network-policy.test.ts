import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { isPublicAddress } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { privateTargets, publicTargets } from "../support/addresses.ts";
import { readPage } from "../support/pages.ts";

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
}

interface Peer {
  readonly namespaceSelector?: Selector;
  readonly podSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number | string; readonly protocol?: string }[];
}

/** The other end of a connection: a pod, or an address outside of the cluster. */
type End =
  | { readonly namespace: Readonly<Record<string, string>>; readonly pod: Readonly<Record<string, string>> }
  | { readonly address: string };

const file = new URL("../../deploy/kustomize/base/network-policy.yaml", import.meta.url);
const { spec } = parse(readFileSync(file, "utf8"));
const named: Readonly<Record<string, number>> = { http: 3000, admin: 9464 };

/** Evaluates rules as Kubernetes does: one rule with a fitting peer and port is enough. */
function allows(rules: readonly Rule[], end: End, port: number, protocol = "TCP"): boolean {
  return rules.some(
    ({ from, to, ports }) =>
      (from ?? to ?? []).some((peer) => fits(peer, end)) &&
      (ports === undefined ||
        ports.some(
          (each) => (named[each.port] ?? each.port) === port && (each.protocol ?? "TCP") === protocol,
        )),
  );
}

function fits({ namespaceSelector, podSelector, ipBlock }: Peer, end: End): boolean {
  if ("address" in end) {
    if (ipBlock === undefined || !isWithin(end.address, ipBlock.cidr)) return false;
    return !(ipBlock.except ?? []).some((network) => isWithin(end.address, network));
  }
  if (ipBlock !== undefined) return false;
  // Without a selector of namespaces, only pods of the own namespace fit.
  const inNamespace = namespaceSelector ?? {
    matchLabels: { "kubernetes.io/metadata.name": "hookwright" },
  };
  return hasLabels(end.namespace, inNamespace) && hasLabels(end.pod, podSelector ?? {});
}

function hasLabels(labels: Readonly<Record<string, string>>, { matchLabels = {} }: Selector): boolean {
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
}

function isWithin(address: string, network: string): boolean {
  const [start = "", bits] = network.split("/");
  if (isIP(start) !== isIP(address)) return false;
  const family = isIP(start) === 6 ? "ipv6" : "ipv4";
  const list = new BlockList();
  list.addSubnet(start, Number(bits), family);
  return list.check(address, family);
}

const pod = (namespace: string, labels: Record<string, string> = {}, more: Record<string, string> = {}) => ({
  namespace: { "kubernetes.io/metadata.name": namespace, ...more },
  pod: labels,
});
const ingressController = pod("ingress-nginx", { app: "ingress-nginx" }, { "hookwright/ingress": "true" });
const prometheus = pod("monitoring", { app: "prometheus" }, { "hookwright/monitoring": "true" });
const stranger = pod("shop", { app: "shop" });

describe("the network policy", () => {
  it.each([
    ["the ingress controller", ingressController, 3000, true],
    ["a program of the host in another namespace", pod("shop", { "hookwright/host": "true" }), 3000, true],
    ["Prometheus", prometheus, 9464, true],
    ["Prometheus, to the API", prometheus, 3000, false],
    ["the ingress controller, to the admin port", ingressController, 9464, false],
    ["a program of the host, to the admin port", pod("shop", { "hookwright/host": "true" }), 9464, false],
    ["another pod", stranger, 3000, false],
    ["another pod of the own namespace", pod("hookwright"), 3000, false],
    ["another pod, to the admin port", stranger, 9464, false],
  ])("lets in: %s", (_, end, port, expected) => {
    expect(allows(spec.ingress, end, port)).toBe(expected);
  });

  const dns = pod("kube-system", { "k8s-app": "kube-dns" });
  const outgoing: readonly (readonly [string, End, number, boolean, string?])[] = [
    ["DNS of the cluster", dns, 53, true, "UDP"],
    ["DNS of the cluster, long answers", dns, 53, true],
    ["NodeLocal DNSCache", { address: "169.254.20.10" }, 53, true, "UDP"],
    ["PostgreSQL", pod("databases", { "hookwright/storage": "true" }), 5432, true],
    ["Redis", pod("hookwright", { "hookwright/storage": "true" }), 6379, true],
    ["a collector of traces", pod("monitoring", { "hookwright/otlp": "true" }), 4318, true],
    ["a mail server", pod("mail", { "hookwright/smtp": "true" }), 587, true],
    ["a mail server outside", { address: "93.184.215.14" }, 587, true],
    ["a proxy", pod("egress", { "hookwright/proxy": "true" }), 3128, true],
    ["the API of Kubernetes", pod("kube-system", { component: "kube-apiserver" }), 6443, false],
    ["another pod on the port of DNS", pod("kube-system"), 53, false, "UDP"],
    ["the metadata of the cloud", { address: "169.254.169.254" }, 80, false],
    ["another port of the storage", pod("databases", { "hookwright/storage": "true" }), 22, false],
    ["a pod without a label", stranger, 5432, false],
  ];
  for (const [name, end, port, expected, protocol] of outgoing)
    it(`lets out: ${name}`, () => {
      expect(allows(spec.egress, end, port, protocol)).toBe(expected);
    });

  it.each([...publicTargets, ...privateTargets])("webhooks reach %s only if it is public", (address) => {
    expect(allows(spec.egress, { address }, 443)).toBe(isPublicAddress(address));
  });

  it("can be opened for one private address, as the page says", () => {
    const [, text = ""] =
      /^ *```yaml\n( *patches:\n.*?)^ *```/msu.exec(readPage("docs/operations/install.md")) ?? [];
    const [patch] = parse(text).patches;
    expect(patch.target).toEqual({ kind: "NetworkPolicy", name: "hookwright" });
    const [{ op, path, value }] = parse(patch.patch);
    expect([op, path]).toEqual(["add", "/spec/egress/-"]);
    const egress = [...spec.egress, value];
    expect(allows(egress, { address: "10.0.5.12" }, 5432)).toBe(true);
    expect(allows(egress, { address: "10.0.5.13" }, 5432)).toBe(false);
  });
});
