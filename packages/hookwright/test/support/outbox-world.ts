import type { Store } from "@hookwright/storage";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { connectTo } from "../../../storage/test/support/postgres-server.ts";
import { createHookwright } from "../../src/create-hookwright.ts";
import type { Hookwright } from "../../src/create-hookwright.ts";
import type { HookwrightOptions } from "../../src/options/options.ts";
import { openReceiver } from "./open-receiver.ts";
import type { Receiver } from "./open-receiver.ts";

export type Client = Awaited<ReturnType<typeof connectTo>>;

export interface Line {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface OutboxWorld extends AsyncDisposable {
  readonly hookwright: Hookwright;
  readonly store: Store;
  readonly receiver: Receiver;
  /** A client of the host. */
  readonly client: Client;
  readonly schema: string;
  readonly lines: readonly Line[];
  /** Inserts an event in a statement of its own. */
  insert(event: string, data: unknown, projectId?: string): Promise<void>;
  /** Resolves when the outbox has no rows. */
  isEmpty(): Promise<void>;
  rejected(): Promise<readonly Record<string, unknown>[]>;
  /** The bodies that arrived, in order. */
  bodies(): readonly { readonly id: string; readonly data: Readonly<Record<string, unknown>> }[];
  metric(name: string): Promise<number>;
}

let worlds = 0;

export function newSchema(): string {
  worlds += 1;
  return `outbox_${worlds}`;
}

/** A site with a webhook for two events, and a client of its host. */
export async function openOutboxWorld(options: {
  readonly url: string;
  readonly schema?: string;
  readonly openStore?: (schema: string) => Promise<Store>;
  readonly hookwright?: Partial<HookwrightOptions>;
}): Promise<OutboxWorld> {
  const { url, schema = newSchema() } = options;
  const { openStore = (name: string) => openPostgresStore({ url, schema: name }), hookwright: given = {} } =
    options;
  const receiver = await openReceiver();
  const store = await openStore(schema);
  const lines: Line[] = [];
  const write = (level: string) => (_: string, fields?: object) =>
    void lines.push({ level, fields: { ...fields } });
  const hookwright = await createHookwright({
    store,
    secret: "s".repeat(32),
    privateTargets: true,
    metrics: "public",
    logger: { info: write("info"), warn: write("warn"), error: write("error") },
    ...given,
  });
  // Private targets cause a warning at the start.
  lines.length = 0;
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  for (const event of ["order.created", "order.paid"])
    await hookwright.webhooks.create(
      { accountId: "acc_1", credential: { type: "console" } },
      { event, target_url: `${receiver.origin}/hook` },
    );
  const client = await connectTo(url);
  return {
    hookwright,
    store,
    receiver,
    client,
    schema,
    lines,
    async insert(event, data, projectId = "site_1") {
      await client.query(
        `insert into ${schema}.outbox (event, project_id, data) values ($1, $2, $3::jsonb)`,
        [event, projectId, JSON.stringify(data)],
      );
    },
    async isEmpty() {
      for (;;) {
        const { rows } = await client.query(`select 1 from ${schema}.outbox limit 1`);
        if (rows.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async rejected() {
      return (await client.query(`select * from ${schema}.outbox_rejected order by id`)).rows;
    },
    bodies: () => receiver.waiting.map(({ body }) => JSON.parse(body.toString("utf8"))),
    async metric(name) {
      const response = await hookwright.fetch(new Request("http://localhost/metrics"));
      const [, value = "missing"] = new RegExp(`^${name} (\\S+)$`, "mu").exec(await response.text()) ?? [];
      return Number(value);
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await hookwright.close();
      await store.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
