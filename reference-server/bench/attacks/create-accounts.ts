import { setTimeout as pause } from "node:timers/promises";
import { callsTo } from "../support/host-client.ts";
import type { Call } from "../support/host-client.ts";
import { sampleOrder } from "../support/sample-order.ts";
import type { AttackTarget } from "./open-attacker.ts";
import type { AttackName } from "./options.ts";
import type { VictimAccount } from "./victim.ts";

const password = "correct horse battery";
/** An account may have 50 webhooks. */
const searchedWebhooks = 50;
/** Each is published to all webhooks: 1,000 deliveries of one record. */
const searchedRounds = 20;
const ordersOfPage = 100;

/** The data of its account that an attack needs. */
export type HostileAccount = Omit<AttackTarget, "url" | "connectionsPerSecond" | "victimEmail">;

interface CreatedAccount {
  readonly email: string;
  readonly projectId: string;
  readonly apiKey: string;
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

/** Creates the account of one attack, with everything that any attack needs. */
export async function createHostileAccount(
  url: string,
  hostToken: string,
  { attack, endpointOrigin }: { readonly attack: AttackName; readonly endpointOrigin: string },
): Promise<HostileAccount> {
  const call = callsTo(url, hostToken);
  const account = await createAccount(call, attack);
  const { apiKey, projectId } = account;
  const session = await call("POST", "/console/api/session", { email: account.email, password });
  const hooks = attack === "search" ? searchedWebhooks : 1;
  let webhookId = "";
  for (let hook = 0; hook < hooks; hook++) {
    const body = { event: "order.created", target_url: `${endpointOrigin}/${hook}` };
    const webhook = await call("POST", "/v1/webhooks", body, apiKey);
    webhookId = String(webhook["id"]);
  }
  const recordId = `${attack}_order`;
  const publish = (id: string) =>
    call("POST", "/host/v1/events", {
      event: "order.created",
      project_id: projectId,
      data: { ...sampleOrder(1), id },
    });
  const { deliveries } = await publish(recordId);
  if (attack === "search") await repeatRecord(call, recordId, () => publish(recordId));
  if (attack === "pipeline")
    for (let order = 0; order < ordersOfPage; order++) await publish(`order_${order}`);
  return {
    apiKey,
    projectId,
    webhookId,
    recordId,
    consoleToken: String(session["token"]),
    deliveryId: Array.isArray(deliveries) ? String(deliveries[0]) : "",
  };
}

/** Publishes and deletes a record repeatedly, because an event of an existing record is delivered only once. */
async function repeatRecord(call: Call, recordId: string, publish: () => Promise<unknown>): Promise<void> {
  for (let round = 1; round < searchedRounds; round++) {
    // Wait, because deliveries of a deleted record would be cancelled.
    await pause(200);
    await call("DELETE", `/host/v1/accounts/acc_search/records/orders/${recordId}`, {});
    await publish();
  }
}

async function createAccount(call: Call, name: string): Promise<CreatedAccount> {
  const path = `/host/v1/accounts/acc_${name}`;
  const email = `${name}@example.com`;
  const projectId = `site_${name}`;
  await call("PUT", path, { name, email, password });
  await call("PUT", `/host/v1/projects/${projectId}`, { account_id: `acc_${name}`, name });
  const { api_key: apiKey } = await call("POST", `${path}/api-keys`, { name: "bench" });
  return { email, projectId, apiKey: String(apiKey) };
}
