import { connect as connectPlain, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { SecureContextOptions } from "node:tls";
import type { ProxyTarget } from "@hookwright/domain";
import type { Target } from "./target.ts";
import { toDetail } from "./failure.ts";
import type { Failure } from "./failure.ts";

/** Why there is no tunnel. The receiver cannot cause `unavailable`, so such an attempt does not count. */
export type TunnelProblem =
  | { readonly type: "unavailable"; readonly reason: string; readonly cause?: unknown }
  | { readonly type: "failed"; readonly failure: Failure };

export interface OpenTunnelOptions {
  readonly proxy: ProxyTarget;
  readonly localAddress: string | undefined;
  /** Certificate authorities that a proxy over TLS is verified with. @default those of Node */
  readonly authorities: SecureContextOptions["ca"];
  /** The proxy has accepted the connection, and now connects to the receiver. */
  readonly onConnect: () => void;
  /** The tunnel is open. The caller reads and writes the socket from now on. */
  readonly onOpen: () => void;
  readonly onProblem: (problem: TunnelProblem) => void;
}

const maximumHeadBytes = 16_384;

/**
 * Connects to the proxy and asks it for a tunnel to the endpoint (CONNECT, RFC 9110 §9.3.6). The proxy resolves the name.
 * The caller ends it by destroying the socket.
 */
export function openTunnel(target: Target, options: OpenTunnelOptions): Socket {
  const { proxy, localAddress, authorities, onConnect, onOpen, onProblem } = options;
  const connectOptions = {
    host: proxy.hostname,
    port: proxy.port,
    noDelay: true,
    ...(localAddress === undefined ? {} : { localAddress, family: isIP(localAddress) }),
  };
  const serverName = isIP(proxy.hostname) === 0 ? { servername: proxy.hostname } : {};
  const socket = proxy.isSecure
    ? connectSecure({ ...connectOptions, ...serverName, ca: authorities, ALPNProtocols: ["http/1.1"] })
    : connectPlain(connectOptions);
  let received = "";
  let isConnected = false;

  const settle = (): void => {
    socket.off("data", onData).off("error", onError).off("close", onClose).off("end", onClose);
    // The socket inside the tunnel reports the errors.
    socket.on("error", () => {});
  };
  const refuse = (problem: TunnelProblem): void => {
    settle();
    onProblem(problem);
  };
  const onData = (chunk: Buffer): void => {
    received += chunk.toString("latin1");
    const end = received.indexOf("\r\n\r\n");
    if (end === -1 && received.length <= maximumHeadBytes) return;
    const head = end === -1 ? "" : received.slice(0, end);
    const problem = toProblem(head, target);
    if (problem !== undefined) return refuse(problem);
    // A receiver speaks only after the client, in TLS as in HTTP.
    if (received.length > end + 4)
      return refuse(failed("protocol", "The proxy sent data before the receiver could."));
    settle();
    onOpen();
  };
  const onError = (cause: NodeJS.ErrnoException): void => {
    const reason = cause.code ?? cause.message;
    refuse({
      type: "unavailable",
      reason: isConnected ? `the connection to it broke (${reason})` : `it cannot be reached (${reason})`,
      cause,
    });
  };
  const onClose = (): void =>
    refuse({ type: "unavailable", reason: "it closed the connection without an answer" });
  socket
    .on("data", onData)
    .on("error", onError)
    .on("end", onClose)
    .on("close", onClose)
    .once(proxy.isSecure ? "secureConnect" : "connect", () => {
      isConnected = true;
      onConnect();
      socket.write(toConnectRequest(target, proxy), "latin1");
    });
  return socket;
}

function toConnectRequest({ hostname, port }: Target, { credentials }: ProxyTarget): string {
  const authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  const authorization =
    credentials === undefined
      ? ""
      : `proxy-authorization: Basic ${Buffer.from(credentials).toString("base64")}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`;
}

/** Undefined if the proxy has opened the tunnel. */
function toProblem(head: string, { hostname, port }: Target): TunnelProblem | undefined {
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |\r|$)/u.exec(head)?.[1]);
  if (status >= 200 && status < 300) return undefined;
  if (Number.isNaN(status)) return { type: "unavailable", reason: "it does not answer as an HTTP proxy" };
  const authority = `${hostname}:${port}`;
  // RFC 9110 §15.5.8 demands the header. Smokescreen uses 407 without it for an address that it denies.
  if (status === 407 && /\r\nproxy-authenticate:/iu.test(head))
    return { type: "unavailable", reason: "it refuses the credentials in its URL (407)" };
  if (status === 403 || status === 407)
    return failed(
      "blocked_address",
      `The proxy of the sender refused a connection to ${authority} (${status}).`,
    );
  if (status === 504)
    return failed("timeout", `The proxy of the sender could not connect to ${authority} in time (504).`);
  // The usual answers of proxies for a receiver without an address, or one that does not accept a connection.
  if (status === 502 || status === 503 || status === 500)
    return failed("connect", `The proxy of the sender could not connect to ${authority} (${status}).`);
  return { type: "unavailable", reason: `it answers CONNECT with ${status}` };
}

function failed(failure: Failure["failure"], sentence: string): TunnelProblem {
  return { type: "failed", failure: { failure, detail: toDetail(sentence) } };
}
