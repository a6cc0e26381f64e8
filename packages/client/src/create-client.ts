import { advice } from "./error-codes.ts";
import type { ClientOptions } from "./options.ts";
import type { Credential } from "./read-options.ts";
import { createResources } from "./resources.ts";
import type { Client } from "./resources.ts";
import { openSend } from "./send.ts";

/**
 * Creates a client of the integration API. It opens no connection and sends no request before the first call.
 *
 * @throws ClientError `invalid_option`
 * @example
 * const client = createClient({ baseUrl: "https://example.com", apiKey });
 * for await (const order of client.orders.list({ status: "paid" })) console.log(order.number, order.total);
 */
export function createClient(options: ClientOptions): Client {
  return createResources(openSend(options, key, advice));
}

/** The API keys of `/v1`. */
const key: Credential = {
  option: "apiKey",
  name: "key",
  redacted: "[API key]",
  creator: "createClient",
  missing: "must be the key from the developer console.",
  pattern: /^[\x21-\x7e]+$/,
};
