import { keyRights } from "@hookwright/domain";
import { orderedEndpoint, urlOf } from "./endpoints.ts";
import type { History } from "./history.ts";
import { accountIds } from "./operations.ts";
import type { OperationNamed } from "./operations.ts";
import type { Processes } from "./processes.ts";

export interface WebhookOperations {
  createKey(accountId: string): Promise<void>;
  subscribe(operation: OperationNamed<"subscribe">): Promise<void>;
  manage(operation: OperationNamed<"manage">): Promise<void>;
  revokeKey(operation: OperationNamed<"revokeKey">): Promise<void>;
}

export function createWebhookOperations(
  { ask, change }: Processes,
  { changes, subscriptions, secrets, untold }: History,
): WebhookOperations {
  const keyOf = new Map<string, string>();
  /** The key that created each webhook. */
  const madeBy = new Map<string, string>();
  const pendingSecrets = new Map<string, string>();

  async function pick(nth: number): Promise<{ readonly accountId: string; readonly id: string } | undefined> {
    const all: { readonly accountId: string; readonly id: string }[] = [];
    for (const accountId of accountIds) {
      const { value } = await ask((service) => service.webhooks.list(accountId, { limit: 100 }));
      all.push(...(value?.rows ?? []).map(({ id }) => ({ accountId, id })));
    }
    return all[nth % all.length];
  }

  return {
    async createKey(accountId) {
      const { value } = await ask((service) => service.apiKeys.create(accountId, { name: "Key" }));
      if (value !== undefined) keyOf.set(accountId, value.id);
    },

    async subscribe({ account, event, endpoint, byKey }) {
      const keyId = byKey ? keyOf.get(account) : undefined;
      const caller =
        keyId === undefined
          ? ({ accountId: account, credential: { type: "console" } } as const)
          : ({
              accountId: account,
              credential: { type: "key", keyId, name: "Key", integration: false },
              rights: keyRights,
            } as const);
      const targetUrl = urlOf(endpoint);
      const { value, ...asked } = await ask((service) =>
        service.webhooks.createForConsole(caller, {
          event,
          target_url: targetUrl,
          ordered: endpoint === orderedEndpoint,
        }),
      );
      // An existing webhook does not return its secret.
      if (value?.created !== true) return;
      const { id, signing_secret: current } = value.webhook;
      subscriptions.push({ ...asked, accountId: account, webhookId: id, event, targetUrl });
      secrets.push({ ...asked, webhookId: id, current });
      if (keyId !== undefined) madeBy.set(id, keyId);
    },

    async manage({ action, nth }) {
      const webhook = await pick(nth);
      if (webhook === undefined) return;
      const { accountId, id } = webhook;
      switch (action) {
        case "pause":
        case "remove":
          return change(id, false, (service) => service.webhooks[action](accountId, id));
        case "resume":
        case "turnOn":
          return change(id, true, (service) => service.webhooks[action](accountId, id));
        case "rotate": {
          const { value, refused } = await ask((service) => service.webhooks.rotate(accountId, id));
          if (value !== undefined) pendingSecrets.set(id, value.signing_secret);
          else if (!refused) untold.add(id);
          return;
        }
        case "finishRotation": {
          const outcome = await ask((service) => service.webhooks.finishRotation(accountId, id));
          const current = pendingSecrets.get(id);
          if (!outcome.refused && current !== undefined) secrets.push({ ...outcome, webhookId: id, current });
          return;
        }
        default:
          await ask(async (service) => service.webhooks[action](accountId, id));
      }
    },

    async revokeKey({ account }) {
      const keyId = keyOf.get(account);
      if (keyId === undefined) return;
      keyOf.delete(account);
      const { askedAt, doneAt, refused } = await ask((service) => service.apiKeys.revoke(keyId, account));
      if (refused) throw new Error("a key could not be revoked");
      for (const [of, key] of madeBy) if (key === keyId) changes.push({ of, allows: false, askedAt, doneAt });
    },
  };
}
