import { expectSourceAddress } from "../options/expect-source-address.ts";
import type { Egress } from "../options/read-egress.ts";
import { ok, skipped } from "./check.ts";
import type { CheckFinding } from "./check.ts";

/**
 * The certificates and the address that deliveries use.
 *
 * @throws ConfigurationError as `createHookwright`
 */
export async function checkEgress(egress: Egress): Promise<CheckFinding> {
  await expectSourceAddress(egress);
  const { localAddress, tls } = egress;
  const used = [
    ...(localAddress === undefined ? [] : [`the source address ${localAddress}`]),
    ...(tls?.cert === undefined ? [] : ["a client certificate"]),
    ...(tls?.ca === undefined ? [] : ["more authorities"]),
  ];
  return used.length === 0
    ? skipped("deliveries have no client certificate and no fixed source address")
    : ok(`deliveries use ${used.join(", ")}`);
}
