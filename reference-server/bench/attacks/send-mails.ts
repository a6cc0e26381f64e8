import { setTimeout as pause } from "node:timers/promises";
import type { HostileEndpoint } from "./hostile-endpoint.ts";
import type { HttpRequest, SendRequest } from "./http-client.ts";
import type { Tally } from "./tally.ts";

export interface SendMailsOptions {
  readonly send: SendRequest;
  readonly endpoint: HostileEndpoint;
  readonly consoleToken: string;
  readonly apiKey: string;
  readonly projectId: string;
  readonly tally: Tally;
}

const webhooksOfRound = 10;
/** After this many failures in a row, the server warns the owner by mail. */
const failures = 6;
const failuresWithinMs = 5_000;
const refusedPauseMs = 500;

/** Creates webhooks, lets each fail six times, deletes them, and starts again. */
export async function sendMails(options: SendMailsOptions): Promise<never> {
  const { send, endpoint, consoleToken, apiKey, projectId, tally } = options;
  let subscribers = 0;

  async function call(name: string, request: HttpRequest): Promise<string> {
    const { outcome, status, body } = await send(request);
    tally.add(`${name} ${outcome}`);
    if (status === undefined || status >= 400) await pause(refusedPauseMs);
    return body;
  }

  function createWebhook(number: number): Promise<string> {
    const target_url = `${endpoint.origin}/${number}`;
    const body = { event: "subscriber.created", target_url };
    return call("create", { method: "POST", path: "/console/api/webhooks", token: consoleToken, body });
  }

  function subscribe(): Promise<string> {
    const body = { project_id: projectId, email: `subscriber-${++subscribers}@example.com`, name: "Ada" };
    return call("subscribe", { method: "POST", path: "/v1/subscribers", token: apiKey, body });
  }

  for (;;) {
    const expected = endpoint.received + webhooksOfRound * failures;
    const created: string[] = [];
    for (let number = 0; number < webhooksOfRound; number++) {
      const id = idOf(await createWebhook(number));
      if (id !== undefined) created.push(id);
    }
    for (let number = 0; number < failures; number++) await subscribe();
    const giveUpAt = performance.now() + failuresWithinMs;
    while (endpoint.received < expected && performance.now() < giveUpAt) await pause(50);
    for (const id of created)
      await call("delete", { method: "DELETE", path: `/console/api/webhooks/${id}`, token: consoleToken });
    tally.add("rounds");
  }
}

function idOf(body: string): string | undefined {
  return /"id":"(wh_\w+)"/u.exec(body)?.[1];
}
