import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { sampleDeliveryBody } from "@hookwright/domain";
import type { Browser, Page } from "../../../../packages/hookwright/test/support/open-browser.ts";
import { openPage } from "../../../../packages/hookwright/test/support/open-browser.ts";
import { call, hostToken } from "../../support/host-api.ts";
import { startServer } from "../../support/server-process.ts";
import type { ServerProcess } from "../../support/server-process.ts";
import { listenLocally } from "../../../../packages/hookwright/test/support/listen-locally.ts";

/** What one flow works with: an account of its own, a tab of its own, and a receiver of its own. */
export interface Flow extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly page: Page;
  readonly account: string;
  /** Where its webhooks send. */
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the status of the receiver's responses. @default 204 */
  answerWith(status: number): void;
  /** Publishes reviews of the account's site. */
  publish(...recordIds: string[]): Promise<void>;
  /** The ids of the records that were received, in order. */
  receivedRecords(): readonly unknown[];
}

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const password = "correct horse battery";

/** A server process whose retries take milliseconds, so that a webhook is disabled within a second. */
export function startFlowServer(): Promise<ServerProcess> {
  return startServer({
    env: {
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
      HOOKWRIGHT_RETRY_DELAYS: "0.05,0.05,0.05,0.05,0.05",
      HOOKWRIGHT_ENDPOINT_BACKOFF: "0",
      HOOKWRIGHT_CONSOLE_RATE_LIMIT: "100000",
      HOOKWRIGHT_SENDS_PER_MINUTE: "100000",
    },
  });
}

let accounts = 0;

/** Opens the console of a new account. */
export async function openFlow({
  server,
  browser,
}: {
  readonly server: ServerProcess;
  readonly browser: Browser;
}): Promise<Flow> {
  const account = `acc_${++accounts}`;
  const site = `site_of_${account}`;
  const path = `/host/v1/accounts/${account}`;
  await call(server, path, { method: "PUT", body: { email: `${account}@example.com`, password } });
  await call(server, `/host/v1/projects/${site}`, {
    method: "PUT",
    body: { account_id: account, name: "Shop" },
  });
  const receiver = await openReceiver();
  const { page, [Symbol.asyncDispose]: closePage } = await openPage(browser, server.url);
  const link = await call(server, `${path}/console-sessions`, { method: "POST", body: {} });
  await page.goto(new URL(String(link["url"]), server.url).href);
  await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
  return {
    server,
    page,
    account,
    url: receiver.url,
    received: receiver.received,
    answerWith: receiver.answerWith,
    async publish(...recordIds) {
      const { data } = sampleDeliveryBody("review.submitted");
      for (const id of recordIds)
        await call(server, "/host/v1/events", {
          method: "POST",
          body: { event: "review.submitted", project_id: site, data: { ...data, id } },
        });
    },
    receivedRecords: () => receiver.received.map(({ body }) => JSON.parse(body.toString()).data.id),
    async [Symbol.asyncDispose]() {
      await closePage();
      await receiver.close();
    },
  };
}

async function openReceiver() {
  const received: Received[] = [];
  let status = 204;
  const receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(status).end(status < 300 ? undefined : "out of order");
  });
  const local = await listenLocally(receiver);
  return {
    url: `${local.origin}/hook`,
    received,
    answerWith: (next: number) => void (status = next),
    close: () => local[Symbol.asyncDispose](),
  };
}
