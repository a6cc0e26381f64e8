import { setTimeout as pause } from "node:timers/promises";
import { callsTo } from "../harness/host-client.ts";
import type { Call } from "../harness/host-client.ts";
import { sampleOrder } from "../harness/sample-order.ts";
import type { AttackName } from "./names.ts";
import type { VictimAccount } from "./victim.ts";

const password = "correct horse battery";
/** An account may have 50 webhooks. */
const webhooksOfLog = 50;

/** The data of its account that an attack needs. */
export interface HostileAccount {
  readonly apiKey: string;
  readonly consoleToken: string;
  readonly projectId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly recordId: string;
}

/** Creates the victim: an account with a webhook for its orders. */
export async function createVictim(
  url: string,
  hostToken: string,
  targetUrl: string,
): Promise<Omit<VictimAccount, "url"> & { readonly signingSecret: string }> {
  const call = callsTo(url, hostToken);
  const account = await createAccount(call, "victim");
  const webhook = { event: "order.created", target_url: targetUrl };
  const { signing_secret: secret } = await call("POST", "/v1/webhooks", webhook, account.apiKey);
  return { ...account, password, hostToken, signingSecret: String(secret) };
}

/** Creates the accounts of an attack, each with everything that any attack needs. */
export async function createHostileAccounts(
  url: string,
  hostToken: string,
  { attack, endpointOrigin }: { readonly attack: AttackName; readonly endpointOrigin: string },
): Promise<readonly HostileAccount[]> {
  const call = callsTo(url, hostToken);
  const count = attack === "streams" ? 32 : attack === "tests" ? 16 : 1;
  const accounts: HostileAccount[] = [];
  for (let number = 0; number < count; number++)
    accounts.push(await createHostileAccount(call, attack, `${attack}_${number}`, endpointOrigin));
  return accounts;
}

async function createHostileAccount(
  call: Call,
  attack: AttackName,
  name: string,
  endpointOrigin: string,
): Promise<HostileAccount> {
  const { apiKey, projectId } = await createAccount(call, name);
  const link = await call("POST", `/host/v1/accounts/acc_${name}/console-sessions`, {});
  const code = String(link["url"]).split("/").at(-1);
  const session = await call("POST", "/console/api/session/link", { code });
  let webhookId = "";
  for (let hook = 0; hook < (attack === "search" || attack === "scans" ? webhooksOfLog : 1); hook++) {
    const body = { event: "order.created", target_url: `${endpointOrigin}/${hook}` };
    webhookId = String((await call("POST", "/v1/webhooks", body, apiKey))["id"]);
  }
  const publish = (id: string) =>
    call("POST", "/host/v1/events", {
      event: "order.created",
      project_id: projectId,
      data: { ...sampleOrder(1), id },
    });
  const recordId = `${name}_order`;
  const { deliveries } = await publish(recordId);
  // An event of an existing record is delivered only once. Deliveries of a deleted record are cancelled, hence the pause.
  for (let round = 1; attack === "search" && round < 1_000 / webhooksOfLog; round++) {
    await pause(200);
    await call("DELETE", `/host/v1/accounts/acc_${name}/records/orders/${recordId}`, {});
    await publish(recordId);
  }
  const others = { scans: 10_000 / webhooksOfLog, pipeline: 100 };
  const orders = attack === "scans" || attack === "pipeline" ? others[attack] : 0;
  for (let order = 1; order < orders; order++) await publish(`${name}_${order}`);
  return {
    apiKey,
    projectId,
    webhookId,
    recordId,
    consoleToken: String(session["token"]),
    deliveryId: Array.isArray(deliveries) ? String(deliveries[0]) : "",
  };
}

async function createAccount(call: Call, name: string) {
  const path = `/host/v1/accounts/acc_${name}`;
  const email = `${name}@example.com`;
  const projectId = `site_${name}`;
  await call("PUT", path, { name, email, ...(name === "victim" ? { password } : {}) });
  await call("PUT", `/host/v1/projects/${projectId}`, { account_id: `acc_${name}`, name });
  const { api_key: apiKey } = await call("POST", `${path}/api-keys`, { name: "bench" });
  return { email, projectId, apiKey: String(apiKey) };
}
