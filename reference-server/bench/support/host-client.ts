/** One call of a server's HTTP interface; answers the `data` of the envelope. */
export type Call = (
  method: string,
  path: string,
  body: unknown,
  bearer?: string,
) => Promise<Record<string, unknown>>;

/** Calls of one server, with this token where no other is given. */
export function callsTo(url: string, token: string): Call {
  return async (method, path, body, bearer = token) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { success, data, error }: Record<string, unknown> = await response.json();
    if (success !== true || typeof data !== "object" || data === null)
      throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(error)}`);
    return { ...data };
  };
}

/** A project in an account of its own, with a webhook of its orders for each of these URLs. */
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

/** Many of them, some at once. */
export async function createAccounts(call: Call, accounts: Iterable<NewAccount>): Promise<void> {
  // One iterator for all: whoever is done takes the next.
  const source = accounts[Symbol.iterator]();
  const createNext = async (): Promise<void> => {
    for (let next = source.next(); next.done !== true; next = source.next())
      await createAccount(call, next.value.project, next.value.targets);
  };
  await Promise.all(Array.from({ length: accountsAtOnce }, createNext));
}
