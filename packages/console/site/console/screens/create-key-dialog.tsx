import type { CreatedApiKey } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";

export interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Asks for a name; then shows the key, once. */
export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const { api } = useConsole();
  const [name, setName] = useState("");
  const [integration, setIntegration] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey>();
  const action = useAction();
  const create = (): Promise<boolean> =>
    action.run(async () => {
      setCreated(await api.post<CreatedApiKey>("console/api/keys", { name, integration }));
      onCreated();
    });
  if (created !== undefined) {
    return (
      <SecretDialog
        title={`Key “${created.name}” created`}
        label="API key"
        secret={created.api_key}
        onClose={onClose}
      >
        <p>
          Send it with every request: <code>Authorization: Bearer …</code>
        </p>
      </SecretDialog>
    );
  }
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void create();
        }}
      >
        <FailureNote failure={action.failure} />
        <label class="field">
          Name
          <input
            type="text"
            required
            autofocus
            maxLength={200}
            value={name}
            onInput={(changed) => setName(changed.currentTarget.value)}
          />
          <small>What uses it, to tell it from the others later.</small>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={integration}
            onChange={(changed) => setIntegration(changed.currentTarget.checked)}
          />
          It belongs to an automation platform's integration. Webhooks that it creates keep the secret they
          were given.
        </label>
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={action.busy}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
