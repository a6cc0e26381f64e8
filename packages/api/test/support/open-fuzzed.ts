import { password } from "./open-console.ts";
import { hostToken, openApi } from "./open-api.ts";
import type { TestApi } from "./open-api.ts";
import { openService } from "./open-service.ts";
import { call, textOf } from "./call.ts";
import type { HostileRequest } from "./hostile-request.ts";
import { sampleOrder } from "./sample-order.ts";

export interface FuzzedApi {
  readonly api: TestApi;
  /** Builds the path and headers of a request, with a valid credential for its route unless the request has its own. */
  readonly prepare: (
    request: HostileRequest,
  ) => Promise<{ readonly path: string; readonly headers: Record<string, string> }>;
}

/** An API with one resource of each kind. Its credentials stay valid, whatever the requests do. */
export async function openFuzzed(): Promise<FuzzedApi> {
  const service = openService({
    testSender: {
      runAttempt: async ({ body }) => ({
        number: 1,
        started_at: Date.now(),
        duration_ms: 1,
        request_form: 1,
        signature: "v1=0",
        body,
        status: 200,
        headers: [],
        excerpt: "",
        error: null,
        detail: null,
        next_attempt_at: null,
      }),
    },
  });
  const api = await openApi({ service, metrics: { render: () => "up 1\n" } });
  await service.accounts.put("acc_1", { password });

  /** The requests may delete it, so it is created again. */
  async function webhookId(): Promise<string> {
    const { webhook } = await service.webhooks.create(
      { accountId: "acc_1", credential: { type: "console" } },
      { event: "order.created", target_url: "https://example.com/a" },
    );
    return webhook.id;
  }

  await webhookId();
  const published = await service.publish({
    event: "order.created",
    project_id: "site_1",
    data: sampleOrder({ id: "ord_1" }),
  });
  const deliveryId = published.deliveries[0] ?? "";
  let token = "";

  /** The requests may sign out, so the session is created again. */
  async function consoleToken(): Promise<string> {
    const { status } = await call(api, "GET /console/api/keys", { token });
    if (status !== 200) {
      const json = { email: "owner@example.com", password };
      token = textOf(await call(api, "POST /console/api/session", { token: undefined, json }), "token");
    }
    return token;
  }

  return {
    api,
    async prepare({ access, path, headers }) {
      const credential =
        access === "host" || access === "metrics"
          ? hostToken
          : access === "console"
            ? await consoleToken()
            : api.apiKey;
      return {
        path: path
          .replaceAll("KNOWNDELIVERY", deliveryId)
          .replaceAll("KNOWNWEBHOOK", path.includes("KNOWNWEBHOOK") ? await webhookId() : ""),
        headers: { authorization: `Bearer ${credential}`, ...headers },
      };
    },
  };
}
