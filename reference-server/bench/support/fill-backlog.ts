import { startServer } from "../../test/support/server-process.ts";
import { callsTo, createAccount, createAccounts } from "./host-client.ts";
import { sampleOrder } from "./sample-order.ts";

export interface Backlog {
  /** The data directory of the server. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly token: string;
  /** The healthy endpoints. Each of these projects has its own account with one webhook. */
  readonly healthy: readonly { readonly project: string; readonly url: string }[];
  /** The failing and slow endpoints. Each of these accounts has a webhook for each of its URLs. */
  readonly bad: readonly (readonly string[])[];
  /** The number of events of each account that wait for all of its webhooks. */
  readonly eventsOfAccount: number;
}

const batch = 100;

/** Publishes everything to a server that does not deliver, so that all deliveries stay pending. */
export async function fillBacklog({ directory, env, token, ...backlog }: Backlog): Promise<void> {
  const { healthy, bad, eventsOfAccount } = backlog;
  await using server = await startServer({ directory, env: { ...env, HOOKWRIGHT_ROLE: "api" } });
  const call = callsTo(server.url, token);
  await createAccounts(
    call,
    healthy.map(({ project, url }) => ({ project, targets: [url] })),
  );
  for (const [index, targets] of bad.entries()) {
    const project = `bad_${index}`;
    await createAccount(call, project, targets);
    for (let first = 0; first < eventsOfAccount; first += batch) {
      const numbers = Array.from({ length: Math.min(batch, eventsOfAccount - first) }, (_, at) => first + at);
      const toEvent = (number: number) => ({
        event: "order.created",
        project_id: project,
        data: { ...sampleOrder(number), id: `ord_${project}_${number}` },
      });
      await call("POST", "/host/v1/events", numbers.map(toEvent));
    }
    process.stderr.write(`account ${index + 1} of ${bad.length} has its backlog\n`);
  }
  await server.stop();
}
