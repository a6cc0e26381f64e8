import type { ApiKey, Attempt, ConsoleWebhook, CreatedConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { toStandardForm } from "../../parts/secret-dialog.tsx";
import { RotationSteps } from "./rotation-steps.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";

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
