import type { Attempt } from "@hookwright/domain";
import { headersToSend } from "./to-curl.ts";

/** A JavaScript call that sends the request again, for the console of a browser or for Node. */
export function toFetch(url: string, { headers, body }: Attempt["request"]): string {
  const options = { method: "POST", headers: headersToSend(headers), body };
  return `await fetch(${JSON.stringify(url)}, ${JSON.stringify(options, null, 2)});`;
}
