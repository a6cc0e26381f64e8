import { ClientError, createClient } from "../../src/index.ts";

export interface Api {
  /** Undefined in a page, which calls its own server. */
  readonly baseUrl?: string;
  readonly apiKey: string;
}

/** Tests writes, pages, errors and aborts with the runtime's own `fetch`. */
export async function judge({ baseUrl = location.origin, apiKey }: Api): Promise<unknown> {
  const client = createClient({ baseUrl, apiKey });
  const tag = crypto.randomUUID();
  const created: boolean[] = [];
  for (const name of ["ada", "bob", "ada", "cleo"]) {
    const email = `${name}.${tag}@example.com`;
    created.push((await client.contacts.save({ project_id: "site_1", email, name, tags: [tag] })).created);
  }
  const names: (string | null)[] = [];
  for await (const contact of client.contacts.list({ project_id: "site_1", limit: 2 }))
    if (contact.tags.includes(tag)) names.push(contact.name);
  return {
    account: (await client.me()).id,
    created,
    names,
    refused: await client.orders.get("ord_unknown").catch(toCode),
    keyless: await createClient({ baseUrl, apiKey: "hwk_unknown" }).me().catch(toCode),
    aborted: await client.me({ signal: AbortSignal.abort() }).catch(toName),
    document: (await client.openApi()).openapi,
  };
}

function toCode(error: unknown): unknown {
  return error instanceof ClientError ? [error.status, error.code] : String(error);
}

function toName(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}
