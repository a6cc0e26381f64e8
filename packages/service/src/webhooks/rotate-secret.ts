import { keys } from "@hookwright/delivery";
import type { SigningSecretRow } from "@hookwright/delivery";
import { HookwrightError, moveRotation } from "@hookwright/domain";
import type { ConsoleWebhook, RotationInput } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { expectWebhookRow } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { readConsoleWebhook } from "./read-console-webhooks.ts";
import { createSigningSecret } from "./signing-secret.ts";

export interface RotatedWebhook {
  readonly webhook: ConsoleWebhook;
  /** The new secret, where one was made: this is the only time it is shown. */
  readonly signingSecret: string | undefined;
}

/**
 * Moves a webhook's signing secrets one step (specification §3.3). Deliveries are signed with the current one throughout, so
 * a receiver is never surprised; tests are signed with the one that waits, so it can be tried first.
 *
 * @throws HookwrightError `resource_not_found`, `invalid_state`
 */
export async function rotateSecret(
  { store, secretBox, randomBytes }: Pick<ServiceContext, "store" | "secretBox" | "randomBytes">,
  accountId: string,
  webhookId: string,
  input: RotationInput,
): Promise<RotatedWebhook> {
  const row = await expectWebhookRow(store, accountId, webhookId);
  if (row.created_by.integration) {
    throw new HookwrightError(
      "invalid_state",
      "An automation platform's webhook keeps the signing secret its integration was given. Connect it anew there.",
    );
  }
  const signingSecret = input === "rotate" ? createSigningSecret(randomBytes) : undefined;
  const key = keys.signingSecret(accountId, webhookId);
  await commitUntilDone(store, partitionOf(accountId), async () => {
    const stored = await store.get(key);
    if (stored === undefined) throw noSuch("webhook");
    const secrets: SigningSecretRow = JSON.parse(stored);
    const moved = moveRotation(secrets.pending === null ? "single" : "rotating", input);
    if (!moved.ok) throw new HookwrightError("invalid_state", moved.reason);
    const after: SigningSecretRow = {
      ...secrets,
      current: input === "finish" && secrets.pending !== null ? secrets.pending : secrets.current,
      pending: signingSecret === undefined ? null : secretBox.seal(signingSecret, webhookId),
    };
    return {
      commit: {
        checks: [{ key, value: stored }],
        mutations: [{ type: "set", key, value: JSON.stringify(after) }],
      },
      result: undefined,
    };
  });
  return { webhook: await readConsoleWebhook(store, accountId, row), signingSecret };
}
