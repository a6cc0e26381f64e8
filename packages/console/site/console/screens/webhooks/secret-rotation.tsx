import type {
  ApiKey,
  Attempt,
  AuditEntry,
  ConsoleWebhook,
  CreatedConsoleWebhook,
  Delivery,
} from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import type { ConsoleApi } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { Step } from "../../parts/page.tsx";
import { toStandardForm } from "../../parts/secrets.tsx";
import { TestButton } from "../../parts/test-button.tsx";
import { useAsk, useConsole } from "../../state/console-context.ts";
import { useResource, useRows } from "../../state/use-api.ts";
import { useLiveReload } from "../../state/use-live.ts";

export interface SecretRotationProps {
  readonly webhook: ConsoleWebhook;
  /** The test that was sent last on the page. */
  readonly attempt: Attempt | undefined;
  readonly onChanged: (webhook: ConsoleWebhook) => void;
  /** Called when the server's state differs from what is shown. */
  readonly onRefused: () => void;
}

/** Replaces the signing secret. Every delivery stays verifiable meanwhile (contract: Secrets). */
export function SecretRotation({ webhook, attempt, onChanged, onRefused }: SecretRotationProps) {
  const { api, showSecret } = useConsole();
  const ask = useAsk();
  const { id, created_by } = webhook;
  // Only the key has this information. If it is not among the newest hundred, the button is shown and the server
  // refuses.
  const keysPath = created_by.type === "key" ? toPath("keys") : undefined;
  const { data: keys, loading } = useRows<ApiKey>(keysPath, { limit: "100" });
  const isCreatedByIntegration = keys?.some((key) => key.id === created_by.key_id && key.integration);

  async function post<Data>(...name: readonly string[]): Promise<Data> {
    try {
      return await api.post<Data>(toPath("webhooks", id, ...name));
    } catch (error) {
      onRefused();
      throw error;
    }
  }
  async function rotate(): Promise<void> {
    const rotated = await post<CreatedConsoleWebhook>("rotate");
    showSecret({
      title: "New signing secret",
      label: "New signing secret",
      value: rotated.signing_secret,
      otherForms: toStandardForm(rotated),
      text: "Deliveries use the current secret until you finish. Add this new secret to your endpoint next to the current one.",
    });
    // The page keeps no secret.
    const { signing_secret: _, standard_signing_secret: __, ...withoutSecret } = rotated;
    onChanged(withoutSecret);
  }
  const endRotation = (name: "finish" | "cancel") => async (): Promise<void> =>
    onChanged(await post<ConsoleWebhook>("rotate", name));
  const askToRotate = (): void =>
    ask({
      title: "Rotate the signing secret?",
      text: (
        <p>
          A new secret is created and shown once. Deliveries use the current secret until you finish. Tests
          use the new one.
        </p>
      ),
      confirm: "Create a new secret",
      kind: "primary",
      onConfirm: rotate,
    });
  const askToFinish = (isTested: boolean): void =>
    ask({
      title: "Use the new secret from now on?",
      text: (
        <>
          {isTested ? null : (
            <p class="note warn">Your endpoint has not accepted a test with the new secret.</p>
          )}
          <p>
            All deliveries use it immediately. An endpoint that knows only the old secret will refuse them.
          </p>
        </>
      ),
      confirm: "Use the new secret",
      kind: "primary",
      onConfirm: endRotation("finish"),
    });
  const askToCancel = (): void =>
    ask({
      title: "Drop the new secret?",
      text: (
        <p>Deliveries continue with the current secret. The new one is deleted and cannot be restored.</p>
      ),
      confirm: "Drop the new secret",
      kind: "danger",
      onConfirm: endRotation("cancel"),
    });

  return (
    <section>
      <h2>Signing secret</h2>
      {webhook.rotating ? (
        <RotationSteps webhook={webhook} attempt={attempt} onFinish={askToFinish} onCancel={askToCancel} />
      ) : isCreatedByIntegration ? (
        <p>
          An integration created this webhook and stores its secret, so you cannot rotate it here. If the
          secret is lost, let the integration delete the webhook and create a new one.
        </p>
      ) : (
        <>
          <p>
            The secret was shown when it was created and cannot be shown again. You can replace it without
            losing deliveries.
          </p>
          <div class="actions">
            {keys === undefined && loading ? null : (
              <Button changes onClick={askToRotate}>
                Rotate signing secret
              </Button>
            )}
          </div>
        </>
      )}
    </section>
  );
}

interface RotationStepsProps {
  readonly webhook: ConsoleWebhook;
  /** A test that was sent elsewhere on the page. */
  readonly attempt: Attempt | undefined;
  /** Asks before the rotation is finished. */
  readonly onFinish: (isTested: boolean) => void;
  readonly onCancel: () => void;
}

/** The steps of a rotation that has begun: accept both secrets, test, finish. */
function RotationSteps({ webhook, attempt, onFinish, onCancel }: RotationStepsProps) {
  const { api } = useConsole();
  const { id } = webhook;
  const [tested, setTested] = useState<Attempt>();
  const { data: wasTested, refresh } = useResource(`test in the rotation of ${id} ${attempt?.id}`, (signal) =>
    wasTestAccepted(api, id, signal),
  );
  useLiveReload(
    refresh,
    (change) => change.type === "delivery" && change.row.webhook_id === id && change.row.kind === "test",
  );
  const isTested = tested?.error === null || wasTested === true;
  return (
    <>
      <p>
        A new secret is pending. Deliveries use the current one, and <em>Send test</em> uses the new one.
      </p>
      <ol class="stepper" aria-label="Steps of the rotation">
        <Step isDone title="New secret">
          It was created and shown once.
        </Step>
        <Step isDone={isTested} isCurrent={!isTested} title="Accept both">
          Add the new secret to your endpoint, next to the current one.
        </Step>
        <Step isDone={isTested} title="Test">
          <p>A test is signed with the new secret. This step is done when your endpoint accepts it.</p>
          <TestButton webhook={webhook} kind={isTested ? "plain" : "primary"} onTested={setTested}>
            Test the new secret
          </TestButton>
        </Step>
        <Step isDone={false} isCurrent={isTested} title="Finish">
          <p>All deliveries use the new secret. Then remove the old one from your endpoint.</p>
          <div class="actions">
            <Button changes kind={isTested ? "primary" : "plain"} onClick={() => onFinish(isTested)}>
              Finish: use the new secret
            </Button>
            <Button changes onClick={onCancel}>
              Cancel the new secret
            </Button>
          </div>
        </Step>
      </ol>
    </>
  );
}

/** Whether the endpoint has accepted a test since the rotation began. False if the beginning is unknown. */
async function wasTestAccepted(api: ConsoleApi, id: string, signal: AbortSignal): Promise<boolean> {
  const started = await api.list<AuditEntry>(toPath("audit"), {
    query: { action: "webhook.rotation_started", limit: "100" },
    signal,
  });
  const since = started.rows.find(({ target }) => target.id === id)?.at;
  if (since === undefined) return false;
  const query = { webhook_id: id, kind: "test", status: "delivered", since, limit: "1" };
  return (await api.list<Delivery>(toPath("deliveries"), { query, signal })).rows.length > 0;
}
