import { startServer } from "../../test/support/server-process.ts";
import { callServer } from "./host-client.ts";
import { sampleOrder } from "./sample-order.ts";

export interface Backlog {
  /** Where the server keeps its data. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly token: string;
  /** Whoever does well: the one webhook of `site_healthy`. */
  readonly healthyUrl: string;
  /** Each of these accounts has a webhook for each of its URLs. */
  readonly bad: readonly (readonly string[])[];
  /** So many events of each of them wait for all of its webhooks. */
  readonly eventsOfAccount: number;
}

const batch = 100;

/** A server that delivers nothing publishes everything: it all waits. */
export async function fillBacklog({ directory, env, token, ...backlog }: Backlog): Promise<void> {
  const { healthyUrl, bad, eventsOfAccount } = backlog;
  await using server = await startServer({ directory, env: { ...env, HOOKWRIGHT_ROLE: "api" } });
  const call = (method: string, path: string, body: unknown, bearer = token) =>
    callServer(server.url, path, { method, token: bearer, body });

  async function createAccount(name: string, targets: readonly string[]): Promise<void> {
    await call("PUT", `/host/v1/accounts/acc_${name}`, { name, email: `${name}@example.com` });
    await call("PUT", `/host/v1/projects/site_${name}`, { account_id: `acc_${name}`, name });
    const { api_key: key } = await call("POST", `/host/v1/accounts/acc_${name}/api-keys`, { name: "bench" });
    for (const target of targets)
      await call("POST", "/v1/webhooks", { event: "order.created", target_url: target }, String(key));
  }

  await createAccount("healthy", [healthyUrl]);
  for (const [index, targets] of bad.entries()) {
    const name = `bad${index}`;
    await createAccount(name, targets);
    for (let first = 0; first < eventsOfAccount; first += batch) {
      const numbers = Array.from({ length: Math.min(batch, eventsOfAccount - first) }, (_, at) => first + at);
      const toEvent = (number: number) => ({
        event: "order.created",
        project_id: `site_${name}`,
        data: { ...sampleOrder(number), id: `ord_${name}_${number}` },
      });
      await call("POST", "/host/v1/events", numbers.map(toEvent));
    }
    process.stderr.write(`account ${index + 1} of ${bad.length} has its backlog\n`);
  }
  await server.stop();
}
