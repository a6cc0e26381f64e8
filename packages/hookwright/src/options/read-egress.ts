import { isIP } from "node:net";
import nodeTls from "node:tls";
import type { SecureContextOptions } from "node:tls";
import type { TransportOptions } from "@hookwright/delivery";
import { parseProxyUrl } from "@hookwright/domain";
import type { OptionProblem } from "@hookwright/domain";
import type { EgressOptions } from "./options.ts";

/** How deliveries leave this machine. */
export type Egress = Pick<TransportOptions, "proxy" | "localAddress" | "tls">;

export interface CheckedEgress {
  readonly egress: Egress;
  readonly problems: readonly OptionProblem[];
}

export function readEgress(options: EgressOptions | undefined): CheckedEgress {
  if (options === undefined) return { egress: {}, problems: [] };
  if (typeof options !== "object" || options === null)
    return {
      egress: {},
      problems: [{ option: "egress", message: "must be { proxy, clientCertificate, ca, sourceAddress }" }],
    };
  const problems: OptionProblem[] = [];
  const expect = (option: string, holds: boolean, message: string): void => {
    if (!holds) problems.push({ option: `egress.${option}`, message });
  };
  const { proxy, sourceAddress, clientCertificate, ca } = options;
  const target = typeof proxy === "string" ? parseProxyUrl(proxy) : undefined;
  // Without the value, which may contain a password.
  expect(
    "proxy",
    proxy === undefined || target !== undefined,
    "must be the URL of an HTTP proxy, such as http://user:password@proxy.example.com:3128",
  );
  expect(
    "sourceAddress",
    sourceAddress === undefined || (typeof sourceAddress === "string" && isIP(sourceAddress) !== 0),
    "must be an IP address of this machine",
  );
  const isPair = typeof clientCertificate?.cert === "string" && typeof clientCertificate.key === "string";
  expect(
    "clientCertificate",
    clientCertificate === undefined || isPair,
    "must be { cert, key }, both in PEM",
  );
  expect("ca", ca === undefined || typeof ca === "string", "must be text in PEM");
  const tls: SecureContextOptions = {
    ...(isPair ? { cert: clientCertificate.cert, key: clientCertificate.key } : {}),
    ...(typeof ca === "string" ? { ca: [...nodeTls.getCACertificates("default"), ca] } : {}),
  };
  if (problems.length === 0)
    expect(
      "clientCertificate",
      isReadable(tls),
      "or egress.ca cannot be read: they must be PEM, and the key must belong to the certificate",
    );
  return { egress: { proxy: target, localAddress: sourceAddress, tls }, problems };
}

function isReadable(tls: SecureContextOptions): boolean {
  try {
    nodeTls.createSecureContext(tls);
    return true;
  } catch {
    return false; // The error of OpenSSL says less than the message.
  }
}
