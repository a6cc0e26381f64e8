import type { Duplex } from "node:stream";

/** The return value of `onIncoming` that makes Node's parser stop, as after an upgrade. */
const stopParsing = 2;

/**
 * Closes a connection at once, even if a received packet holds more requests. Without this, Node parses and reports
 * them all.
 *
 * Node has no public function for this. If a version of Node does not ask `onIncoming`, the connection closes later.
 */
export function abortConnection(socket: Duplex): void {
  const parser: unknown = Reflect.get(socket, "parser");
  if (typeof parser === "object" && parser !== null && "onIncoming" in parser)
    Object.assign(parser, { onIncoming: () => stopParsing });
  socket.destroy();
}
