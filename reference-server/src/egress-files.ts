import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { HookwrightOptions } from "hookwright";
import { nameOf } from "./options/option.ts";
import type { Option } from "./options/option.ts";
import { options } from "./options/options.ts";
import type { Settings } from "./options/read-settings.ts";
import { ServerError } from "./server-error.ts";

export type EgressSettings = Pick<
  Settings,
  "proxy" | "sourceAddress" | "deliveryClientCert" | "deliveryClientKey" | "deliveryCa"
>;

/**
 * Reads the files once. A renewed certificate needs a restart of the server.
 *
 * @throws {ServerError} `invalid_option` for a file that cannot be used
 */
export async function readEgress(
  settings: EgressSettings,
): Promise<NonNullable<HookwrightOptions["egress"]>> {
  const { proxy, sourceAddress, deliveryClientCert, deliveryClientKey } = settings;
  if ((deliveryClientCert === undefined) !== (deliveryClientKey === undefined)) {
    throw new ServerError(
      "invalid_option",
      `${nameOf(options.deliveryClientCert)} and ${nameOf(options.deliveryClientKey)} must be set together.`,
    );
  }
  const [cert, key, ca] = await Promise.all([
    readPem(options.deliveryClientCert, deliveryClientCert),
    readPem(options.deliveryClientKey, deliveryClientKey),
    readPem(options.deliveryCa, settings.deliveryCa),
  ]);
  if (ca !== undefined) refuseUnreadable([options.deliveryCa], { ca });
  const clientCertificate = cert === undefined || key === undefined ? undefined : { cert, key };
  if (clientCertificate !== undefined)
    refuseUnreadable([options.deliveryClientCert, options.deliveryClientKey], clientCertificate);
  return { proxy, sourceAddress, clientCertificate, ca };
}

async function readPem(option: Option<string | undefined>, file: string | undefined) {
  if (file === undefined) return undefined;
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ServerError("invalid_option", `${nameOf(option)} must be ${option.allowed}; ${reason}.`, {
      cause,
    });
  });
  // OpenSSL ignores authorities that are not PEM.
  if (!text.includes("-----BEGIN"))
    throw new ServerError(
      "invalid_option",
      `${nameOf(option)} must be ${option.allowed}; ${file} is not one.`,
    );
  return text;
}

function refuseUnreadable(
  named: readonly Option<unknown>[],
  context: { readonly cert?: string; readonly key?: string; readonly ca?: string },
): void {
  try {
    createSecureContext(context);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const names = named.map(nameOf).join(" and ");
    throw new ServerError("invalid_option", `${names} cannot be used: ${reason}.`, { cause });
  }
}
