import { createSecureContext, getCACertificates } from "node:tls";
import type { SecureContextOptions } from "node:tls";
import { parseProxyUrl } from "@hookwright/domain";
import type { ProxyTarget } from "@hookwright/domain";
import { readEgress } from "../egress-files.ts";
import type { EgressSettings } from "../egress-files.ts";
import { ok, skipped } from "./check.ts";
import type { Finding } from "./check.ts";

/** How deliveries leave this machine. */
export interface Egress {
  readonly proxy: ProxyTarget | undefined;
  readonly sourceAddress: string | undefined;
  readonly tls: SecureContextOptions;
}

/** @throws {ServerError} `invalid_option`, as a server at its start */
async function openEgress(settings: EgressSettings): Promise<Egress> {
  const { sourceAddress, clientCertificate, ca } = await readEgress(settings);
  const tls: SecureContextOptions = {
    ...clientCertificate,
    ...(ca === undefined ? {} : { ca: [...getCACertificates("default"), ca] }),
  };
  createSecureContext(tls);
  return { proxy: parseProxyUrl(settings.proxy ?? ""), sourceAddress, tls };
}

/** Without what cannot be used. The check of the egress names it. */
export function openUsableEgress(settings: EgressSettings): Promise<Egress> {
  return openEgress(settings).catch(() => ({
    proxy: parseProxyUrl(settings.proxy ?? ""),
    sourceAddress: undefined,
    tls: {},
  }));
}

/** The files and the address that deliveries use. */
export async function checkEgress(settings: EgressSettings): Promise<Finding> {
  const { sourceAddress, tls } = await openEgress(settings);
  const used = [
    ...(sourceAddress === undefined ? [] : [`the source address ${sourceAddress}`]),
    ...(tls.cert === undefined ? [] : ["a client certificate"]),
    ...(tls.ca === undefined ? [] : ["more authorities"]),
  ];
  return used.length === 0
    ? skipped("deliveries have no client certificate and no fixed source address")
    : ok(`deliveries use ${used.join(", ")}`);
}
