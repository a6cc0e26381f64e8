import { once } from "node:events";
import { createServer } from "node:net";
import type { Egress } from "../options/read-egress.ts";
import { describeError, failed, ok, skipped } from "./check.ts";
import type { CheckFinding } from "./check.ts";

/** The certificates and the address that deliveries use. */
export async function checkEgress({ localAddress, tls }: Egress): Promise<CheckFinding> {
  const problem = localAddress === undefined ? undefined : await tryAddress(localAddress);
  if (problem !== undefined)
    return failed(
      `deliveries cannot use the source address ${localAddress} (${problem})`,
      "It must be an IP address of this machine.",
    );
  const used = [
    ...(localAddress === undefined ? [] : [`the source address ${localAddress}`]),
    ...(tls?.cert === undefined ? [] : ["a client certificate"]),
    ...(tls?.ca === undefined ? [] : ["more authorities"]),
  ];
  return used.length === 0
    ? skipped("deliveries have no client certificate and no fixed source address")
    : ok(`deliveries use ${used.join(", ")}`);
}

async function tryAddress(address: string): Promise<string | undefined> {
  const server = createServer().listen(0, address);
  try {
    await once(server, "listening");
    return undefined;
  } catch (error) {
    return describeError(error);
  } finally {
    server.close();
  }
}
