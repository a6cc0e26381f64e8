import type {
  ApiKey,
  Attempt,
  AuditEntry,
  ConsoleWebhook,
  CreatedConsoleWebhook,
  Delivery,
} from "@hookwright/domain";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ConsoleApi } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { ConfirmDialog } from "../../parts/dialogs.tsx";
import { toStandardForm } from "../../parts/secrets.tsx";
import { TestButton } from "../../parts/test-button.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useLiveReload } from "../../state/use-live.ts";
import { useResource } from "../../state/use-resource.ts";
import { mayTest } from "./webhook-actions.tsx";

export interface SecretRotationProps {
  readonly webhook: ConsoleWebhook;
  /** The path of the webhook in the console API. */
  readonly path: string;
  /** The test that was sent last on the page. */
  readonly attempt: Attempt | undefined;
  readonly onChanged: (webhook: ConsoleWebhook) => void;
  /** Called when the server's state differs from what is shown. */
  readonly onRefused: () => void;
}

/** Replaces the signing secret. Every delivery stays verifiable meanwhile (contract: Secrets). */
export function SecretRotation({ webhook, path, attempt, onChanged, onRefused }: SecretRotationProps) {
  const { api, showSecret } = useConsole();
  const { created_by } = webhook;
  // Only the key has this information. If it is not among the newest hundred, the button is shown and the server
  // refuses.
  const { data: keys, loading } = useResource(`keys for ${created_by.type}`, async (signal) =>
    created_by.type === "key"
      ? (await api.list<ApiKey>("console/api/keys", { query: { limit: "100" }, signal })).rows
      : [],
  );
  const isCreatedByIntegration = keys?.some(({ id, integration }) => id === created_by.key_id && integration);
  const [asking, setAsking] = useState<"rotate" | "finish" | "finish untested" | "cancel">();

  async function post<Data>(name: string): Promise<Data> {
    try {
      return await api.post<Data>(`${path}/${name}`);
    } catch (error) {
      onRefused();
      throw error;
    }
  }
  async function rotate(): Promise<void> {
    const { signing_secret, standard_signing_secret, ...rotated } =
      await post<CreatedConsoleWebhook>("rotate");
    showSecret({
      title: "New signing secret",
      label: "New signing secret",
      value: signing_secret,
      otherForms: toStandardForm(standard_signing_secret),
      text: "Deliveries use the current secret until you finish. Add this new secret to your endpoint next to the current one.",
    });
    onChanged(rotated);
  }
  const endRotation = (name: "finish" | "cancel") => async (): Promise<void> =>
    onChanged(await post<ConsoleWebhook>(`rotate/${name}`));

  return (
    <section>
      <h2>Signing secret</h2>
      {webhook.rotating ? (
        <RotationSteps
          webhook={webhook}
          attempt={attempt}
          onFinish={(isTested) => setAsking(isTested ? "finish" : "finish untested")}
          onCancel={() => setAsking("cancel")}
        />
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
              <Button changes onClick={() => setAsking("rotate")}>
                Rotate signing secret
              </Button>
            )}
          </div>
        </>
      )}
      {asking === "rotate" ? (
        <ConfirmDialog
          title="Rotate the signing secret?"
          confirm="Create a new secret"
          kind="primary"
          onConfirm={rotate}
          onClose={() => setAsking(undefined)}
        >
          <p>
            A new secret is created and shown once. Deliveries use the current secret until you finish. Tests
            use the new one.
          </p>
        </ConfirmDialog>
      ) : null}
      {asking === "finish" || asking === "finish untested" ? (
        <ConfirmDialog
          title="Use the new secret from now on?"
          confirm="Use the new secret"
          kind="primary"
          onConfirm={endRotation("finish")}
          onClose={() => setAsking(undefined)}
        >
          {asking === "finish" ? null : (
            <p class="note warn">Your endpoint has not accepted a test with the new secret.</p>
          )}
          <p>
            All deliveries use it immediately. An endpoint that knows only the old secret will refuse them.
          </p>
        </ConfirmDialog>
      ) : null}
      {asking === "cancel" ? (
        <ConfirmDialog
          title="Drop the new secret?"
          confirm="Drop the new secret"
          kind="danger"
          onConfirm={endRotation("cancel")}
          onClose={() => setAsking(undefined)}
        >
          <p>Deliveries continue with the current secret. The new one is deleted and cannot be restored.</p>
        </ConfirmDialog>
      ) : null}
    </section>
  );
}

export interface RotationStepsProps {
  readonly webhook: ConsoleWebhook;
  /** A test that was sent elsewhere on the page. */
  readonly attempt: Attempt | undefined;
  /** Asks before the rotation is finished. */
  readonly onFinish: (isTested: boolean) => void;
  readonly onCancel: () => void;
}

/** The steps of a rotation that has begun: accept both secrets, test, finish. */
export function RotationSteps({ webhook: { id, status }, attempt, onFinish, onCancel }: RotationStepsProps) {
  const { api } = useConsole();
  const [tested, setTested] = useState<Attempt>();
  const { data: wasTested, reload } = useResource(`test in the rotation of ${id} ${attempt?.id}`, (signal) =>
    wasTestAccepted(api, id, signal),
  );
  useLiveReload(
    reload,
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
          <TestButton
            webhookId={mayTest(status) ? id : undefined}
            kind={isTested ? "plain" : "primary"}
            onTested={setTested}
          >
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
  const started = await api.list<AuditEntry>("console/api/audit", {
    query: { action: "webhook.rotation_started", limit: "100" },
    signal,
  });
  const since = started.rows.find(({ target }) => target.id === id)?.at;
  if (since === undefined) return false;
  const query = { webhook_id: id, kind: "test", status: "delivered", since, limit: "1" };
  return (await api.list<Delivery>("console/api/deliveries", { query, signal })).rows.length > 0;
}

interface StepProps {
  readonly isDone: boolean;
  readonly isCurrent?: boolean;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Step({ isDone, isCurrent = false, title, children }: StepProps) {
  return (
    <li class={isDone ? "done" : ""} aria-current={isCurrent ? "step" : undefined}>
      <div>
        <h3>
          {title}
          {isDone ? <span class="heard"> (done)</span> : null}
        </h3>
        {children}
      </div>
    </li>
  );
}
