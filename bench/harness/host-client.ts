/** Calls a server's HTTP API and returns the `data` of the envelope. */
export type Call = (
  method: string,
  path: string,
  body: unknown,
  bearer?: string,
) => Promise<Record<string, unknown>>;

/** Creates a client for one server with a default token. */
export function callsTo(url: string, token: string): Call {
  return async (method, path, body, bearer = token) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { success, data, error }: Record<string, unknown> = await response.json();
    if (success !== true || typeof data !== "object" || data === null)
      throw new Error(`${method} ${path} got ${response.status}: ${JSON.stringify(error)}`);
    return { ...data };
  };
}

/** Creates an account with a project and a webhook for its orders for each of these URLs. */
export async function createAccount(call: Call, project: string, targets: readonly string[]): Promise<void> {
  const account = `/host/v1/accounts/acc_${project}`;
  await call("PUT", account, { name: project, email: `${project}@example.com` });
  await call("PUT", `/host/v1/projects/${project}`, { account_id: `acc_${project}`, name: project });
  const { api_key: key } = await call("POST", `${account}/api-keys`, { name: "bench" });
  for (const target of targets)
    await call("POST", "/v1/webhooks", { event: "order.created", target_url: target }, String(key));
}

export interface NewAccount {
  readonly project: string;
  readonly targets: readonly string[];
}

const accountsAtOnce = 8;

/** Creates many accounts, some concurrently. */
export async function createAccounts(call: Call, accounts: Iterable<NewAccount>): Promise<void> {
  // All loops share one iterator. Each takes the next account when it is done.
  const source = accounts[Symbol.iterator]();
  const createNext = async (): Promise<void> => {
    for (let next = source.next(); next.done !== true; next = source.next())
      await createAccount(call, next.value.project, next.value.targets);
  };
  await Promise.all(Array.from({ length: accountsAtOnce }, createNext));
}
