import { advice } from "../error-codes.ts";
import type { Advice } from "../error-codes.ts";
import type { ClientOptions } from "../options.ts";
import type { Credential } from "../read-options.ts";
import { openSend } from "../send.ts";
import { createHostResources } from "./create-host-resources.ts";
import type { HostClient } from "./resources.ts";

export interface HostClientOptions extends Omit<ClientOptions, "apiKey" | "baseUrl"> {
  /**
   * The address of the server without `/host/v1`, with its base path, if any: `http://127.0.0.1:3000`. It must be
   * `https:`, or `http:` on this machine (`localhost`, `127.0.0.1`, `[::1]`).
   */
  readonly baseUrl: string | URL;
  /** One of the host tokens of the server: only the token, without its name and scopes. It is sent only to `baseUrl`. */
  readonly hostToken: string;
}

/**
 * Creates a client of the host API. It opens no connection and sends no request before the first call.
 *
 * @throws ClientError `invalid_option`
 * @example
 * const host = createHostClient({ baseUrl: "http://127.0.0.1:3000", hostToken });
 * await host.accounts.put("acc_bakery", { name: "Bakery", email: "owner@example.com" });
 */
export function createHostClient(options: HostClientOptions): HostClient {
  return createHostResources(openSend(options, token, hostAdvice));
}

const token: Credential = {
  option: "hostToken",
  name: "host token",
  redacted: "[host token]",
  creator: "createHostClient",
  missing: "must be a host token of the server (HOOKWRIGHT_HOST_TOKEN).",
  // The server accepts blanks inside a token.
  pattern: /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
};

const hostAdvice: Advice = {
  ...advice,
  missing_api_key: "The client sent the host token, so a proxy has removed the Authorization header.",
  invalid_api_key: "Pass a token of HOOKWRIGHT_HOST_TOKEN, without its name and scopes.",
  account_unavailable: "",
  plan_required: "",
  not_found:
    "Check baseUrl: it must be the address of the server without /host/v1. A server without host tokens has no host API.",
  invalid_project: "",
  unknown_event: "",
  webhook_limit_reached: "",
  forbidden: "Use a host token with this scope.",
};
