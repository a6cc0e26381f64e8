import type { Socket } from "node:net";
import { listen, onMessages } from "./http-messages.ts";
import { monotonicMs } from "./monotonic-clock.ts";

/**
 * A receiver in a process of its own that notes when each delivery came, on the clock that all processes share. It listens
 * twice: behind one port everything is accepted at once, behind the other nothing is answered.
 * The parent asks with any message and gets the times since it last asked.
 */
const deliveryId = /\r\nx-service-delivery: *([^\r]+)/i;
const accepted = Buffer.from("HTTP/1.1 204 No Content\r\n\r\n");
let arrivals: [deliveryId: string, milliseconds: number][] = [];

function receive(socket: Socket, onReceived: () => void): void {
  // A server under test that is stopped resets what it waits for.
  socket.on("error", () => socket.destroy());
  onMessages(socket, (head) => {
    arrivals.push([deliveryId.exec(head)?.[1] ?? "", monotonicMs()]);
    onReceived();
  });
}

const healthyPort = await listen((socket) => receive(socket, () => void socket.write(accepted)));
const hangingPort = await listen((socket) => receive(socket, () => {}));
process.send?.({ healthy: healthyPort, hanging: hangingPort });
process.on("message", () => {
  process.send?.(arrivals);
  arrivals = [];
});
process.on("disconnect", () => process.exit(0));
