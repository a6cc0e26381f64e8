import type { Socket } from "node:net";
import { listen, onMessages } from "./http-messages.ts";
import { monotonicMs } from "./monotonic-clock.ts";

/**
 * A receiver in a separate process that records the arrival of each delivery on the shared clock. On one port it
 * accepts everything immediately, on the other it never responds. Each message of the parent asks for the times since
 * the last one.
 */
const deliveryId = /\r\nx-service-delivery: *([^\r]+)/i;
const accepted = Buffer.from("HTTP/1.1 204 No Content\r\n\r\n");
let arrivals: [deliveryId: string, milliseconds: number][] = [];

function receive(socket: Socket, onReceived: () => void): void {
  // A stopped server resets connections on which it waits.
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
