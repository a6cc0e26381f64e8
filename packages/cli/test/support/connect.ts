import { createApiClient } from "../../src/api/api-client.ts";
import type { ApiClient, ApiClientOptions } from "../../src/api/api-client.ts";
import { apiKey } from "./developer-server.ts";

/** A client of the developer API with the key of the test server. */
export function connect(
  server: { readonly url: string },
  options: Partial<Pick<ApiClientOptions, "sleep" | "signal" | "remark">> = {},
): ApiClient {
  return createApiClient({
    server: server.url,
    token: apiKey,
    version: "0.0.0",
    fetch,
    sleep: async () => {},
    signal: new AbortController().signal,
    remark: () => {},
    ...options,
  });
}
