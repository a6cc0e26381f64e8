import { get } from "node:http";
import { text } from "node:stream/consumers";

const timeoutMs = 2_000;

/**
 * Checks whether the receiver of the demo with this id still runs. A receiver that accepts the connection but does not
 * respond counts as running, because a stopped process (Ctrl-Z) may resume.
 */
export async function isReceiverRunning({
  url,
  id,
}: {
  readonly url: string;
  readonly id: string;
}): Promise<boolean> {
  const patience = AbortSignal.timeout(timeoutMs);
  try {
    return (await read(url, patience)) === id;
  } catch {
    return patience.aborted;
  }
}

/** No agent, because `fetch` may use a proxy, which cannot reach this machine. */
function read(url: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, signal }, (response) => {
      text(response).then(resolve, reject);
    }).once("error", reject);
  });
}
