import { hash, timingSafeEqual } from "node:crypto";
import { HookwrightError } from "@hookwright/domain";

/**
 * Makes the check of the host's token. Digests are compared instead of the texts: they have one length, so that the time
 * it takes tells neither how long the token is nor where a guess goes wrong.
 */
export function createHostTokenCheck(hostToken: string): (token: string) => void {
  const expected = digest(hostToken);
  return (token) => {
    if (timingSafeEqual(digest(token), expected)) return;
    throw new HookwrightError("invalid_api_key", "The host token is wrong.");
  };
}

function digest(token: string): Uint8Array {
  return hash("sha256", token, "buffer");
}
