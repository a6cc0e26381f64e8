import { promises as dns } from "node:dns";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { SecureContextOptions, TLSSocket } from "node:tls";
import { parseProxyUrl } from "@hookwright/domain";
import type { ProxyTarget } from "@hookwright/domain";
import { describeError, failed, ok, skipped } from "./check.ts";
import type { Finding } from "./check.ts";

/** Resolves all names, in one check. */
export async function checkNames(hostnames: readonly string[]): Promise<Finding> {
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

export interface Egress {
  readonly proxy: string | undefined;
  readonly sourceAddress: string | undefined;
  readonly tls: SecureContextOptions;
}

/** Opens a tunnel and closes it again. */
export async function checkProxy(url: URL, egress: Egress, signal: AbortSignal): Promise<Finding> {
  const proxy = parseProxyUrl(egress.proxy ?? "");
  if (proxy === undefined) return skipped("HOOKWRIGHT_PROXY is not set, so deliveries go out directly");
  const socket = await openTunnel(proxy, url, egress, signal);
  socket.destroy();
  return ok(
    `${proxy.hostname}:${proxy.port} opens a tunnel to ${url.host}. It must refuse private addresses`,
  );
}

/** Makes a TLS handshake as a delivery does, and sends nothing. */
export async function checkOutgoingTls(url: URL, egress: Egress, signal: AbortSignal): Promise<Finding> {
  const startedAt = performance.now();
  const proxy = parseProxyUrl(egress.proxy ?? "");
  const tunnel = proxy === undefined ? undefined : await openTunnel(proxy, url, egress, signal);
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

function toSource({ sourceAddress }: Egress) {
  return sourceAddress === undefined ? {} : { localAddress: sourceAddress, family: isIP(sourceAddress) };
}

function whenConnected(socket: TLSSocket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("secureConnect", resolve).on("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed")));
    signal.addEventListener("abort", () => socket.destroy(), { once: true });
  });
}

function openTunnel(proxy: ProxyTarget, url: URL, egress: Egress, signal: AbortSignal): Promise<Socket> {
  const target = `${url.hostname}:${url.port || "443"}`;
  const { credentials, isSecure, hostname, port } = proxy;
  const authorization =
    credentials === undefined
      ? {}
      : { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
  const send = isSecure ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const request = send({
      method: "CONNECT",
      host: hostname,
      port,
      path: target,
      headers: { host: target, ...authorization },
      agent: false,
      signal,
      ...toSource(egress),
      ...(egress.tls.ca === undefined ? {} : { ca: egress.tls.ca }),
    });
    request.on("error", (cause) =>
      reject(
        new Error(`the proxy ${hostname}:${port} cannot be reached (${describeError(cause)})`, { cause }),
      ),
    );
    request.on("connect", ({ statusCode = 0 }, socket) => {
      socket.on("error", () => {});
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${hostname}:${port} answers CONNECT ${target} with ${statusCode}`));
    });
    request.end();
  });
}

/** Signs in to the mail server. Sends no mail. */
export async function checkSmtp(url: string | undefined, timeoutMs: number): Promise<Finding> {
  if (url === undefined) return skipped("SMTP_URL is not set, so each mail is a log line");
  const { createTransport } = await import("nodemailer");
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  try {
    await transport.verify();
    const { username, host } = new URL(url);
    return ok(`${host} accepts ${username === "" ? "connections" : "the sign-in"}`);
  } finally {
    transport.close();
  }
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
