import type { CheckFinding } from "hookwright";
import { listen, toUrlHost } from "../listen.ts";
import type { ListenAt } from "../listen.ts";

const longestMs = 2_000;

/**
 * Listens as a server does, and stops at once. The server that this installation runs may have the port already.
 *
 * @throws {ServerError} `address_unavailable`
 */
export async function checkAddress(at: Omit<ListenAt, "limits">, signal: AbortSignal): Promise<CheckFinding> {
  const { host, port } = at;
  if (port === 0) return { status: "skipped", message: "the system chooses a free port" };
  try {
    const listening = await listen(nobody, { ...at, limits: {} });
    await listening.close(0);
    return { status: "ok", message: `port ${port} on ${host} is free` };
  } catch (error) {
    if (!(await isHookwright(host, port, signal))) throw error;
    const message = `a Hookwright server answers on port ${port} of ${host}, so a second one cannot start there`;
    return { status: "ok", message };
  }
}

const nobody = {
  handler: (_: unknown, response: { destroy(): unknown }) => void response.destroy(),
  answerClientError: (_: Error, socket: { destroy(): unknown }) => void socket.destroy(),
};

/** Only its answer is read, and no secret is sent, because any program may listen there. */
async function isHookwright(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`http://${toUrlHost(host)}:${port}/healthz`, {
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
    });
    const text = await response.text();
    return (
      response.headers.get("x-request-id")?.startsWith("req_") === true &&
      text === JSON.stringify({ success: true, data: { status: "up" } })
    );
  } catch {
    return false;
  }
}
