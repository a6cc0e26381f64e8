import type { Duplex } from "node:stream";

/** What Node's parser takes for "no HTTP follows", as after an upgrade. */
const stopParsing = 2;

/**
 * Closes a connection, also in the middle of a packet. Node would parse and report the other requests of the packet, often more than a
 * thousand, although their socket is destroyed.
 *
 * Node has no public function for that. Its parser asks `onIncoming` how to go on. If a version of Node does not, the connection is
 * closed all the same, only later.
 */
export function abortConnection(socket: Duplex): void {
  const parser: unknown = Reflect.get(socket, "parser");
  if (typeof parser === "object" && parser !== null && "onIncoming" in parser)
    Object.assign(parser, { onIncoming: () => stopParsing });
  socket.destroy();
}
