import { requireSecret, toTimestampText } from "../sign-options.ts";
import type { SignOptions } from "../sign-options.ts";
import { toBytes } from "../to-bytes.ts";
import { hmacSha256, toSignedMessage } from "./hmac-sha256.ts";

/**
 * Returns the value of `X-Service-Signature`: `v1=` and 64 lower-case hex digits (specification, section 5).
 *
 * @throws SignatureError `no_secret`, `invalid_option` (the timestamp), `body_not_raw`
 * @example
 * const signature = await sign({ body, secret, timestamp: Math.floor(Date.now() / 1000) });
 */
export async function sign({ body, secret, timestamp }: SignOptions): Promise<string> {
  const message = toSignedMessage(toTimestampText(timestamp), toBytes(body));
  let signature = "v1=";
  for (const byte of await hmacSha256(requireSecret(secret), message))
    signature += byte.toString(16).padStart(2, "0");
  return signature;
}
