import { once } from "node:events";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { createServer, isIP } from "node:net";
import type { Server, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { isPublicAddress } from "@hookwright/domain";
import type { Egress } from "../options/read-egress.ts";
import { checkTimeoutMs, describeError, failed, ok, skipped, warning } from "./check.ts";
import type { CheckFinding } from "./check.ts";

export interface ProxyCheckOptions {
  /** An endpoint that the proxy must reach. */
  readonly probeUrl: URL | undefined;
  readonly privateTargets: boolean;
  /** What messages call the option of the proxy. */
  readonly name: string;
  readonly signal: AbortSignal;
}

const fixOfPrivate =
  "It resolves the names of webhooks, so it must refuse private, loopback and link-local addresses with 403.";

/** Whether the proxy refuses private addresses, and whether it opens a tunnel to the endpoint. Sends nothing through tunnels. */
export async function checkProxy(
  egress: Egress,
  { probeUrl, privateTargets, name: option, signal }: ProxyCheckOptions,
): Promise<CheckFinding> {
  const { proxy } = egress;
  if (proxy === undefined) return skipped(`${option} is not set, so deliveries go out directly`);
  const name = `${proxy.hostname}:${proxy.port}`;
  // A proxy that asks for a password, or cannot be reached, refuses everything.
  const opened = probeUrl === undefined ? "" : ` and opens a tunnel to ${probeUrl.host}`;
  if (probeUrl !== undefined) (await openTunnel(proxy, toTarget(probeUrl), { egress, signal })).destroy();
  if (privateTargets) return ok(`${name} is used${opened}; private targets are allowed`);
  const results = await tryPrivateTargets(
    egress,
    AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs / 2)]),
  );
  const reached = results.filter(({ result }) => result === "reached").map(({ target }) => toHost(target));
  if (reached.length > 0) return failed(`${name} reaches ${reached.join(", ")}`, fixOfPrivate);
  const tried = results
    .filter(({ result }) => result === "tried")
    .map(({ target, why }) => `${toHost(target)} (${why})`);
  if (tried.length > 0) return warning(`${name} does not refuse ${tried.join(", ")}`, fixOfPrivate);
  return ok(`${name} refuses private addresses${opened}`);
}

interface PrivateResult {
  readonly target: string;
  readonly result: "reached" | "refused" | "tried";
  readonly why: string;
}

/** Listens on this machine, because a tunnel to there proves that the proxy does not refuse it. */
async function tryPrivateTargets(egress: Egress, signal: AbortSignal): Promise<readonly PrivateResult[]> {
  const { proxy } = egress;
  if (proxy === undefined) return [];
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family, address }) => !internal && family === "IPv4" && !isPublicAddress(address));
  const servers = await Promise.all(
    ["127.0.0.1", "::1", ...(own === undefined ? [] : [own.address])].map(listenAt),
  );
  try {
    const listening = servers.flatMap((each) => each ?? []);
    const targets = [
      ...listening.map(({ address, port }) => `${isIP(address) === 6 ? `[${address}]` : address}:${port}`),
      ...listening.slice(0, 1).map(({ port }) => `localhost:${port}`),
      // The metadata of most clouds.
      "169.254.169.254:443",
    ];
    return await Promise.all(
      targets.map(async (target): Promise<PrivateResult> => {
        try {
          (await openTunnel(proxy, target, { egress, signal })).destroy();
          return { target, result: "reached", why: "" };
        } catch (error) {
          const status = error instanceof RefusedTunnel ? error.status : 0;
          if (status === 0) throwUnlessSlow(error, signal);
          const isRefused = status >= 400 && status < 500;
          return {
            target,
            result: isRefused ? "refused" : "tried",
            why: status === 0 ? "no answer" : String(status),
          };
        }
      }),
    );
  } finally {
    for (const each of servers) each?.server.close();
  }
}

/** A proxy that cannot be reached has refused nothing. */
function throwUnlessSlow(error: unknown, signal: AbortSignal): void {
  if (!signal.aborted) throw error;
}

async function listenAt(
  address: string,
): Promise<{ readonly server: Server; readonly address: string; readonly port: number } | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(0, address);
  try {
    await once(server, "listening");
  } catch {
    return undefined;
  }
  const at = server.address();
  return at === null || typeof at === "string" ? undefined : { server, address, port: at.port };
}

class RefusedTunnel extends Error {
  override readonly name = "RefusedTunnel";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The port is one of this check. */
const toHost = (target: string): string => target.replace(/:\d+$/u, "");

/** The `host:port` of a CONNECT. */
export function toTarget(url: URL): string {
  return `${url.hostname}:${url.port || "443"}`;
}

/** Opens a tunnel as a delivery does. The caller destroys it. */
export function openTunnel(
  { credentials, isSecure, hostname, port }: NonNullable<Egress["proxy"]>,
  target: string,
  { egress, signal }: { readonly egress: Egress; readonly signal: AbortSignal },
): Promise<Socket> {
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
      ...(egress.tls?.ca === undefined ? {} : { ca: egress.tls.ca }),
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
      reject(
        new RefusedTunnel(
          statusCode,
          `the proxy ${hostname}:${port} answers CONNECT ${target} with ${statusCode}`,
        ),
      );
    });
    request.end();
  });
}

export function toSource({ localAddress }: Egress) {
  return localAddress === undefined ? {} : { localAddress, family: isIP(localAddress) };
}
