import { Agent, request } from "node:http";
import type { ClientRequest } from "node:http";

/** Posts a body of `length` bytes, sends another request on the same connection, and returns the status of the second. */
export async function requestAfterBody(url: string, length: number): Promise<number | undefined> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const headers = { "content-type": "application/json" };
    const posted = request(url, { method: "POST", headers, agent });
    posted.end(Buffer.alloc(length, "a"));
    await readStatus(posted);
    return await readStatus(request(url, { agent, signal: AbortSignal.timeout(5_000) }).end());
  } finally {
    agent.destroy();
  }
}

function readStatus(sent: ClientRequest): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => response.resume().on("end", () => resolve(response.statusCode)));
  });
}
