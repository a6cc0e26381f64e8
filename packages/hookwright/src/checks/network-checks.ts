import { promises as dns } from "node:dns";
import { isIP } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { TLSSocket } from "node:tls";
import type { Egress } from "../options/read-egress.ts";
import { describeError, failed, ok, skipped } from "./check.ts";
import type { CheckFinding } from "./check.ts";
import { openTunnel, toSource, toTarget } from "./proxy-check.ts";

/** Resolves all names, in one check. */
export async function checkHostNames(hostnames: readonly string[]): Promise<CheckFinding> {
  // Without addresses and networks.
  const names = [...new Set(hostnames)].filter((name) => isIP(name.replace(/^\[|\]$|\/.*$/gu, "")) === 0);
  if (names.length === 0) return skipped("no option has a host name");
  const results = await Promise.all(
    names.map(async (name) => ({ name, error: await dns.lookup(name).then(() => undefined, describeError) })),
  );
  const bad = results.filter(({ error }) => error !== undefined);
  if (bad.length === 0) return ok(`${names.join(", ")} resolved`);
  return failed(
    bad.map(({ name, error }) => `${name} cannot be resolved (${error ?? ""})`).join("; "),
    "Check the spelling of the names, and the name servers in /etc/resolv.conf.",
  );
}

export interface TlsCheckOptions {
  readonly probeUrl: URL;
  /** False: the default, which a machine without the Internet does not reach. */
  readonly isGiven: boolean;
  /** What messages call the option of the endpoint. */
  readonly name: string;
  readonly signal: AbortSignal;
}

/** Makes a TLS handshake as a delivery does, and sends nothing. */
export async function checkOutgoingTls(
  egress: Egress,
  { probeUrl, isGiven, name, signal }: TlsCheckOptions,
): Promise<CheckFinding> {
  try {
    return await makeHandshake(probeUrl, egress, signal);
  } catch (error) {
    if (isGiven || egress.proxy !== undefined) throw error;
    // It may still have endpoints.
    return skipped(
      `${probeUrl.host} cannot be reached (${describeError(error)}). Name an endpoint with ${name}`,
    );
  }
}

async function makeHandshake(url: URL, egress: Egress, signal: AbortSignal): Promise<CheckFinding> {
  const startedAt = performance.now();
  const { proxy } = egress;
  const tunnel = proxy === undefined ? undefined : await openTunnel(proxy, toTarget(url), { egress, signal });
  const hostname = url.hostname.replace(/^\[|\]$/gu, "");
  const socket = connectSecure({
    ...(tunnel === undefined
      ? { host: hostname, port: Number(url.port || 443), ...toSource(egress) }
      : { socket: tunnel, host: hostname }),
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ...egress.tls,
  });
  try {
    await whenConnected(socket, signal);
    const ms = Math.round(performance.now() - startedAt);
    return ok(`${url.host} answers with ${socket.getProtocol() ?? "TLS"} after ${ms} ms`);
  } finally {
    socket.destroy();
    tunnel?.destroy();
  }
}

function whenConnected(socket: TLSSocket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("secureConnect", resolve).on("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed")));
    signal.addEventListener("abort", () => socket.destroy(), { once: true });
  });
}

/**
 * How far the clock behind the public URL is ahead of this one, in milliseconds, or why it is not known.
 *
 * @returns undefined without a URL
 */
export async function readPublicClock(
  url: string | undefined,
  signal: AbortSignal,
): Promise<number | string | undefined> {
  if (url === undefined) return undefined;
  try {
    const before = Date.now();
    const response = await fetch(url, { method: "HEAD", redirect: "manual", signal });
    const after = Date.now();
    const date = Date.parse(response.headers.get("date") ?? "");
    if (Number.isNaN(date)) return "it sends no Date header";
    // The header is rounded down to a second.
    return Math.round(date + 500 - (before + after) / 2);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return `it cannot be reached: ${describeError(cause ?? error)}`;
  }
}
