import { createExchange } from "./http/exchange.ts";
import { createRedact } from "./http/redact.ts";
import type { ClientOptions } from "./options.ts";
import { readOptions } from "./read-options.ts";
import { createResources } from "./resources.ts";
import type { Client } from "./resources.ts";
import { createSend } from "./send.ts";

/**
 * Creates a client of the integration API. It opens no connection and sends no request before the first call.
 *
 * @throws ClientError `invalid_option`
 * @example
 * const client = createClient({ baseUrl: "https://example.com", apiKey });
 * for await (const order of client.orders.list({ status: "paid" })) console.log(order.number, order.total);
 */
export function createClient(options: ClientOptions): Client {
  const checked = readOptions(options);
  const redact = createRedact(checked.apiKey);
  return createResources(createSend({ options: checked, redact, exchange: createExchange(checked, redact) }));
}
