import { openBareSender } from "./bare-sender.ts";
import { sampleBody } from "./sample-order.ts";

const loops = 64;

/**
 * Measures a bare loop on this machine: one sender per connection, nothing stored. Every budget is a share of this
 * result in the same run.
 */
export async function measureCeiling(
  origin: string,
  count: number,
): Promise<{ readonly perSecond: number; readonly cpuMicroseconds: number }> {
  await using sender = openBareSender(`${origin}/ceiling`);
  const body = sampleBody();
  let started = 0;
  const loop = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      await sender.send(`dlv_${started}`, body);
    }
  };
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: loops }, loop));
  const perSecond = (count / (performance.now() - start)) * 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond, cpuMicroseconds: (user + system) / count };
}
