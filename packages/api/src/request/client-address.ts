import { isIP } from "node:net";
import { isPublicAddress } from "@hookwright/domain";
import type { WriteLogLine } from "@hookwright/domain";
import type { ClientAddress } from "@hookwright/service";
import type { H3Event } from "h3";

export interface ClientReaderOptions {
  /** The number of trusted proxies in front of the server. */
  readonly trustProxy: number;
  readonly log: WriteLogLine;
}

/**
 * Creates a function that reads the address of the client.
 *
 * Without trusted proxies it is the remote address of the connection. Only a Node server knows it.
 *
 * With `n` trusted proxies it is the `n`th entry of `X-Forwarded-For` from the right. Each proxy appends its caller's
 * address, and the client can write everything to the left. If that entry is missing or malformed, the next entry to
 * the right counts, because a trusted proxy wrote it. If no entry is valid, the remote address of the connection
 * counts.
 */
export function createClientReader({
  trustProxy,
  log,
}: ClientReaderOptions): (event: H3Event) => ClientAddress {
  let hasWarned = false;

  return (event) => {
    const peer = readPeerAddress(event);
    const header = event.req.headers.get("x-forwarded-for");
    if (trustProxy === 0) {
      // A public client may have sent the header itself, so it does not prove that there is a proxy.
      const isLikelyProxy = header !== null && (peer === undefined || !isPublicAddress(peer));
      if (isLikelyProxy && !hasWarned) log("forwarded_for_ignored");
      hasWarned ||= isLikelyProxy;
      return { clientAddress: peer, isForwarded: false };
    }
    const trusted = (header ?? "").split(",").slice(-trustProxy).map(parseEntry);
    return {
      clientAddress: trusted.find((address) => address !== undefined) ?? peer,
      isForwarded: trusted.length === trustProxy && trusted[0] !== undefined,
    };
  };
}

/** Requests from adapters and tests may have no connection. */
function readPeerAddress(event: H3Event): string | undefined {
  const socket: { readonly remoteAddress?: string | undefined } | undefined = event.runtime?.node?.req.socket;
  return socket?.remoteAddress;
}

/**
 * Parses `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443`. Undefined for anything
 * else.
 */
function parseEntry(entry: string): string | undefined {
  const text = entry.trim();
  const bracketed = /^\[(?<inner>[^\]]*)\](?::\d{1,5})?$/u.exec(text)?.groups?.["inner"];
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : undefined;
  const withoutPort = text.replace(/^([\d.]+):\d{1,5}$/u, "$1");
  return isIP(withoutPort) === 0 ? undefined : withoutPort;
}
