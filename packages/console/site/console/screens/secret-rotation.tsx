import type { ApiKey, ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { useConsole } from "../state/console-context.ts";
import { useResource } from "../state/use-resource.ts";

export interface SecretRotationProps {
  readonly webhook: ConsoleWebhook;
  /** Of the webhook in the console API. */
  readonly path: string;
  readonly onChanged: (webhook: ConsoleWebhook) => void;
  /** Called where the webhook is not as it is shown. */
  readonly onRefused: () => void;
}

/** From one signing secret to another without a delivery that cannot be verified (specification §3.3). */
export function SecretRotation({ webhook, path, onChanged, onRefused }: SecretRotationProps) {
  const { api, showSecret } = useConsole();
  const { created_by } = webhook;
  // Its key alone tells. Where that is none of the newest hundred, the button is there, and the server refuses.
  const { data: keys, loading } = useResource(`keys for ${created_by.type}`, async (signal) =>
    created_by.type === "key"
      ? (await api.list<ApiKey>("console/api/keys", { query: { limit: "100" }, signal })).rows
      : [],
  );
  const madeByIntegration = keys?.some(({ id, integration }) => id === created_by.key_id && integration);
  const [asking, setAsking] = useState<"rotate" | "finish" | "cancel">();

  async function post<Data>(name: string): Promise<Data> {
    try {
      return await api.post<Data>(`${path}/${name}`);
    } catch (error) {
      onRefused();
      throw error;
    }
  }
  async function rotate(): Promise<void> {
    const { signing_secret, ...rotated } = await post<ConsoleWebhook & { readonly signing_secret: string }>(
      "rotate",
    );
    showSecret({
      title: "New signing secret",
      label: "New signing secret",
      value: signing_secret,
      text: "Deliveries stay signed with the current secret until you finish. Add this one to your endpoint beside it.",
    });
    onChanged(rotated);
  }
  const end = (name: "finish" | "cancel") => async (): Promise<void> =>
    onChanged(await post<ConsoleWebhook>(`rotate/${name}`));

  return (
    <section>
      <h2>Signing secret</h2>
      {webhook.rotating ? (
        <>
          <p class="note waiting">
            A new secret is waiting. Deliveries are signed with the current one; <em>Send test</em> signs with
            the new one. Let your endpoint accept both, test, then finish.
          </p>
          <div class="actions">
            <Button changes kind="primary" onClick={() => setAsking("finish")}>
              Finish: use the new secret
            </Button>
            <Button changes onClick={() => setAsking("cancel")}>
              Cancel the new secret
            </Button>
          </div>
        </>
      ) : madeByIntegration ? (
        <p>
          An integration has made this webhook and keeps its secret: no other can be put in its place here.
          Where the secret is lost, let the integration delete the webhook and make it anew.
        </p>
      ) : (
        <>
          <p>
            The secret was shown when it was made, and cannot be looked up. A new one can take its place
            without a gap.
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
          confirm="Make a new secret"
          kind="primary"
          onConfirm={rotate}
          onClose={() => setAsking(undefined)}
        >
          <p>
            A new secret is made and shown once. Deliveries stay signed with the current one until you finish;
            tests are signed with the new one.
          </p>
        </ConfirmDialog>
      ) : null}
      {asking === "finish" ? (
        <ConfirmDialog
          title="Use the new secret from now on?"
          confirm="Use the new secret"
          kind="primary"
          onConfirm={end("finish")}
          onClose={() => setAsking(undefined)}
        >
          <p>
            Every delivery is signed with it at once. An endpoint that knows the old one alone will refuse
            them.
          </p>
        </ConfirmDialog>
      ) : null}
      {asking === "cancel" ? (
        <ConfirmDialog
          title="Drop the new secret?"
          confirm="Drop the new secret"
          kind="danger"
          onConfirm={end("cancel")}
          onClose={() => setAsking(undefined)}
        >
          <p>Deliveries go on with the current secret. The new one is gone for good.</p>
        </ConfirmDialog>
      ) : null}
    </section>
  );
}
