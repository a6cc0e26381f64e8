import { createHmac, createSecretKey } from "node:crypto";
import { createTransport } from "@hookwright/delivery";
import type { BareSender } from "./bare-sender.ts";

const attemptsAtOnce = 64;

/** Same as `openBareSender`, with the transport of our deliveries. */
export function openOwnSender(targetUrl: string): BareSender {
  const transport = createTransport({ privateTargets: true });
  const key = createSecretKey(Buffer.from(`whsec_${"x".repeat(43)}`));
  let free = attemptsAtOnce;
  const line: (() => void)[] = [];
  return {
    async send(id, body) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => line.push(resolve));
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex");
      const answer = await transport.send({
        accountId: "acc_1",
        targetUrl,
        headerLines: [
          "content-type: application/json",
          "x-service-event: order.created",
          `x-service-delivery: ${id}`,
          `x-service-timestamp: ${timestamp}`,
          `x-service-signature: v1=${signature}`,
          "",
        ].join("\r\n"),
        body,
        timeoutMs: 10_000,
      });
      const next = line.shift();
      if (next === undefined) free += 1;
      else next();
      if (answer.status !== 200) throw new Error(`got status ${answer.status}`);
    },
    [Symbol.asyncDispose]: () => transport.close(),
  };
}
