import { Agent, request } from "node:http";
import type { ClientRequest } from "node:http";

/** What a request is answered with that follows one of so many bytes on the same connection. */
export async function askBehindLength(url: string, length: number): Promise<number | undefined> {
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

function readStatus(asked: ClientRequest): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    asked.on("error", reject);
    asked.on("response", (response) => response.resume().on("end", () => resolve(response.statusCode)));
  });
}
