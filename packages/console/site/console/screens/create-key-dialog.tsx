import type { CreatedApiKey } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { Field } from "../parts/field.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";

export interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Asks for a name, then shows the new key once. */
export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const { api, showSecret } = useConsole();
  const [name, setName] = useState("");
  const [integration, setIntegration] = useState(false);
  const action = useAction();

  async function create(): Promise<void> {
    const created = await api.post<CreatedApiKey>("console/api/keys", { name, integration });
    onCreated();
    showSecret({
      title: (
        <>
          Key “<bdi>{created.name}</bdi>” created
        </>
      ),
      label: "API key",
      value: created.api_key,
      text: "Send it with every request, in the header Authorization: Bearer …",
    });
    onClose();
  }

  return (
    <Dialog title="Create an API key" onClose={action.busy ? undefined : onClose}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void action.run(create);
        }}
      >
        <FailureNote failure={action.failure} labels={{ name: "Name" }} />
        <Field label="Name" hint="The program that uses this key. The name helps you to recognise the key.">
          {(control) => (
            <input
              {...control}
              type="text"
              required
              autofocus
              maxLength={200}
              value={name}
              onInput={(changed) => setName(changed.currentTarget.value)}
            />
          )}
        </Field>
        <label class="check">
          <input
            type="checkbox"
            checked={integration}
            onChange={(changed) => setIntegration(changed.currentTarget.checked)}
          />
          The key belongs to an integration of an automation platform. Webhooks that it creates keep their
          secret.
        </label>
        <div class="actions end">
          <Button disabled={action.busy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={action.busy}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
