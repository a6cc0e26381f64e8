import { createHmac, createSecretKey } from "node:crypto";
import { Agent, request } from "undici";
import { startMeasuring } from "../harness/deliver.ts";
import type { Figures } from "../harness/rounds.ts";
import { sampleBody } from "../harness/sample-order.ts";

const connections = 64;

export interface BareSender extends AsyncDisposable {
  send(id: string, body: string): Promise<void>;
}

/** undici's `request` and one HMAC per body over 64 connections: the minimum that every sender must do. */
export function openBareSender(url: string): BareSender {
  const agent = new Agent({ connections, pipelining: 1, allowH2: false });
  const key = createSecretKey(Buffer.from(`whsec_${"x".repeat(43)}`));
  return {
    async send(id, body) {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex");
      const response = await request(url, {
        method: "POST",
        dispatcher: agent,
        body,
        headers: {
          "content-type": "application/json",
          "x-service-event": "order.created",
          "x-service-delivery": id,
          "x-service-timestamp": timestamp,
          "x-service-signature": `v1=${signature}`,
        },
      });
      await response.body.dump();
      if (response.statusCode >= 300) throw new Error(`got status ${response.statusCode}`);
    },
    [Symbol.asyncDispose]: () => agent.close(),
  };
}

/**
 * Measures a bare loop on this machine: one sender per connection, nothing stored. Every budget is a share of this
 * result in the same run.
 */
export async function measureCeiling(origin: string, count: number): Promise<Figures> {
  await using sender = openBareSender(`${origin}/ceiling`);
  const body = sampleBody();
  let started = 0;
  const loop = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      await sender.send(`dlv_${started}`, body);
    }
  };
  const stop = startMeasuring();
  await Promise.all(Array.from({ length: connections }, loop));
  return stop(count);
}
