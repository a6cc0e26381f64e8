import { isIP } from "node:net";
import type { WriteLogLine } from "@hookwright/domain";
import { isPublicAddress } from "@hookwright/service";
import type { ClientAddress } from "@hookwright/service";
import type { H3Event } from "h3";

export interface ClientReaderOptions {
  /** The number of proxies in front that are trusted. */
  readonly trustProxy: number;
  readonly log: WriteLogLine;
}

/**
 * Reads the address of the client that sent a request.
 *
 * Without trusted proxies it is the address at the other end of the connection. Only a Node server knows it.
 *
 * With `n` trusted proxies it is the `n`th entry of `X-Forwarded-For` from the right: each proxy appends the address that it was
 * called from, and the client can write everything to the left. If that entry is missing or malformed, the next one to the right counts,
 * which a trusted proxy nearer to the server has written, and at last the connection.
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
      // A public client may write the header itself. That says nothing about a proxy.
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

/** Requests that an adapter or a test makes come over no connection. */
function readPeerAddress(event: H3Event): string | undefined {
  const socket: { readonly remoteAddress?: string | undefined } | undefined = event.runtime?.node?.req.socket;
  return socket?.remoteAddress;
}

/** `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443`; undefined for anything else. */
function parseEntry(entry: string): string | undefined {
  const text = entry.trim();
  const bracketed = /^\[(?<inner>[^\]]*)\](?::\d{1,5})?$/u.exec(text)?.groups?.["inner"];
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : undefined;
  const withoutPort = text.replace(/^([\d.]+):\d{1,5}$/u, "$1");
  return isIP(withoutPort) === 0 ? undefined : withoutPort;
}
