import { createHmac, createSecretKey } from "node:crypto";
import { Agent, request } from "undici";
import { sampleBody } from "./sample-order.ts";

const connections = 64;

/**
 * What a bare loop can do on this machine: undici's `request` and one HMAC for each body, 64 connections, nothing
 * stored. Every budget is a share of this figure, measured in the same run.
 */
export async function measureCeiling(
  origin: string,
  count: number,
): Promise<{ readonly perSecond: number; readonly cpuMicroseconds: number }> {
  const agent = new Agent({ connections, pipelining: 1, allowH2: false });
  const key = createSecretKey(Buffer.from(`whsec_${"x".repeat(43)}`));
  const body = sampleBody();
  let started = 0;
  const loop = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex");
      const response = await request(`${origin}/ceiling`, {
        method: "POST",
        dispatcher: agent,
        body,
        headers: {
          "content-type": "application/json",
          "x-service-event": "order.created",
          "x-service-delivery": `dlv_${started}`,
          "x-service-timestamp": timestamp,
          "x-service-signature": `v1=${signature}`,
        },
      });
      await response.body.dump();
    }
  };
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, loop));
  const perSecond = (count / (performance.now() - start)) * 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  await agent.close();
  return { perSecond, cpuMicroseconds: (user + system) / count };
}
