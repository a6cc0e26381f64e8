import type { ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";

export interface SecretRotationProps {
  readonly webhook: ConsoleWebhook;
  /** Of the webhook in the console API. */
  readonly path: string;
  readonly onChanged: (webhook: ConsoleWebhook) => void;
}

/** From one signing secret to another without a delivery that cannot be verified (specification §3.3). */
export function SecretRotation({ webhook, path, onChanged }: SecretRotationProps) {
  const { api } = useConsole();
  const action = useAction();
  const [secret, setSecret] = useState<string>();
  const rotate = (): void => {
    void action.run(async () => {
      const { signing_secret, ...rotated } = await api.post<
        ConsoleWebhook & { readonly signing_secret: string }
      >(`${path}/rotate`);
      setSecret(signing_secret);
      onChanged(rotated);
    });
  };
  const end = (name: "finish" | "cancel") => (): void => {
    void action.run(async () => onChanged(await api.post<ConsoleWebhook>(`${path}/rotate/${name}`)));
  };
  return (
    <section>
      <h2>Signing secret</h2>
      <FailureNote failure={action.failure} />
      {webhook.rotating ? (
        <>
          <p class="note waiting">
            A new secret is waiting. Deliveries are signed with the current one; <em>Send test</em> signs with
            the new one. Let your endpoint accept both, test, then finish.
          </p>
          <div class="actions">
            <Button kind="primary" busy={action.busy} onClick={end("finish")}>
              Finish: use the new secret
            </Button>
            <Button busy={action.busy} onClick={end("cancel")}>
              Cancel the new secret
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            The secret was shown when it was made, and cannot be looked up. A new one can take its place
            without a gap.
          </p>
          <div class="actions">
            <Button busy={action.busy} onClick={rotate}>
              Rotate signing secret
            </Button>
          </div>
        </>
      )}
      {secret === undefined ? null : (
        <SecretDialog
          title="New signing secret"
          label="New signing secret"
          secret={secret}
          onClose={() => setSecret(undefined)}
        >
          <p>
            Deliveries stay signed with the current secret until you finish. Add this one to your endpoint
            beside it.
          </p>
        </SecretDialog>
      )}
    </section>
  );
}
