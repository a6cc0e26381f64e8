import { createDemoOrder } from "../../src/demo/demo-order.ts";
import { hostToken } from "./host-api.ts";
import type { ServerProcess } from "./server-process.ts";

/** An acknowledged event. */
export interface PublishAnswer {
  readonly id: string;
  readonly deliveries: readonly string[];
}

/** Publishes one order for each number. @throws Error if the server does not acknowledge them */
export async function publishEvents(
  server: Pick<ServerProcess, "url">,
  numbers: readonly number[],
): Promise<PublishAnswer[]> {
  const events = numbers.map((number) => ({
    event: "order.created",
    project_id: "site_1",
    data: createDemoOrder({ id: `ord_${number}`, number: String(number), createdAt: Date.now() }),
  }));
  const response = await fetch(`${server.url}/host/v1/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
    body: JSON.stringify(events),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the server refused events with ${response.status}: ${text}`);
  const { data }: { data: PublishAnswer[] } = JSON.parse(text);
  return data;
}
