import { readSigningSecrets, replaceRow } from "@hookwright/delivery";
import type { SigningSecretsRow } from "@hookwright/delivery";
import { HookwrightError, moveRotation } from "@hookwright/domain";
import type { ConsoleWebhook, RotationInput } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { commitAudited } from "../audit/commit-audited.ts";
import type { AuditContext } from "../audit/commit-audited.ts";
import type { ChangeOrigin } from "../use-cases.ts";
import type { ServiceContext } from "../context.ts";
import { expectPresentWebhook } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { readConsoleWebhook } from "../lookups/read-webhooks.ts";
import { createSigningSecret } from "../secrets/signing.ts";

const actions = {
  rotate: "webhook.rotation_started",
  finish: "webhook.rotation_finished",
  cancel: "webhook.rotation_cancelled",
} as const;

export interface RotatedWebhook {
  readonly webhook: ConsoleWebhook;
  /** The new secret, if one was created. It is never shown again. */
  readonly signingSecret: string | undefined;
}

/**
 * Moves the signing secrets of a webhook one step (contract: Secrets). Deliveries are signed with the current secret until the rotation
 * is finished. Tests are signed with the pending secret, so that the owner can try it first.
 *
 * @throws HookwrightError `resource_not_found`, `invalid_state`
 */
export async function rotateSecret(
  context: AuditContext & Pick<ServiceContext, "signing" | "randomBytes">,
  accountId: string,
  webhookId: string,
  input: RotationInput,
  origin?: ChangeOrigin,
): Promise<RotatedWebhook> {
  const { store, signing, randomBytes, now } = context;
  const { row } = await expectPresentWebhook(store, accountId, webhookId);
  if (row.created_by.integration) {
    throw new HookwrightError(
      "invalid_state",
      "An automation platform's webhook keeps the signing secret its integration was given. Connect it anew there.",
    );
  }
  const signingSecret = input === "rotate" ? createSigningSecret(randomBytes) : undefined;
  await commitAudited(context, partitionOf(accountId), origin, async () => {
    const [stored] = await readSigningSecrets(store, accountId, [webhookId]);
    if (stored === undefined) throw noSuch("webhook");
    const { pending_since: _, ...row } = stored.row;
    const { current, pending } = row;
    const moved = moveRotation(pending === null ? "single" : "rotating", input);
    if (!moved.ok) throw new HookwrightError("invalid_state", moved.reason);
    const after: SigningSecretsRow = {
      ...row,
      current: input === "finish" && pending !== null ? pending : current,
      pending: signingSecret === undefined ? null : await signing.seal(signingSecret, webhookId),
      ...(signingSecret !== undefined && { pending_since: now() }),
    };
    return {
      commit: replaceRow(stored, after),
      result: undefined,
      audited: { action: actions[input], accountId, target: { kind: "webhook", id: webhookId } },
    };
  });
  return { webhook: await readConsoleWebhook(store, accountId, row), signingSecret };
}
