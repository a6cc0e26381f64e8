import type { CreatedApiKey } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useConsole } from "../../state/console-context.ts";

export interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Asks for a name, then shows the new key once. */
export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const { api, showSecret } = useConsole();
  const [name, setName] = useState("");
  const [integration, setIntegration] = useState(false);

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
    <FormDialog
      title="Create an API key"
      labels={{ name: "Name" }}
      submit="Create key"
      onSubmit={create}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <Field
            label="Name"
            hint="The program that uses this key. The name helps you to recognise the key."
            problem={problemAt("name")}
          >
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
        </>
      )}
    </FormDialog>
  );
}
