import { get } from "node:http";
import { text } from "node:stream/consumers";

const patienceMs = 2_000;

/**
 * Whether the receiver of the demo with this id is there. One that takes the connection and says nothing counts as there: a
 * process that is stopped (Ctrl-Z) can go on. Nothing that listens, or something else, means that the demo is gone.
 */
export async function askReceiver({
  url,
  id,
}: {
  readonly url: string;
  readonly id: string;
}): Promise<boolean> {
  const patience = AbortSignal.timeout(patienceMs);
  try {
    return (await read(url, patience)) === id;
  } catch {
    return patience.aborted;
  }
}

/** Without an agent: that of `fetch` might ask a proxy, which reaches no port of this machine. */
function read(url: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, signal }, (response) => {
      text(response).then(resolve, reject);
    }).once("error", reject);
  });
}
