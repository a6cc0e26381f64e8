import type { ApiKey, ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Endpoint } from "../../parts/endpoint.tsx";
import { Field } from "../../parts/field.tsx";
import { Loading } from "../../parts/loading.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useResource } from "../../state/use-resource.ts";

export interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

/** Asks before a key is revoked. If webhooks go with it, they are listed, and the name must be typed. */
export function RevokeKeyDialog({ apiKey, onRevoked, onClose }: RevokeKeyDialogProps) {
  const { api } = useConsole();
  const { id, name, webhooks_count } = apiKey;
  const [typed, setTyped] = useState("");
  const mustType = webhooks_count > 0;
  return (
    <ConfirmDialog
      title={
        <>
          Revoke “<bdi>{name}</bdi>”?
        </>
      }
      confirm="Revoke key"
      kind="danger"
      disabled={mustType && typed.trim() !== name.trim()}
      onConfirm={async () => {
        await api.post(`console/api/keys/${encodeURIComponent(id)}/revoke`);
        onRevoked();
      }}
      onClose={onClose}
    >
      <p>
        The key stops working immediately and permanently. Its webhooks are removed, and their pending
        deliveries are cancelled.
      </p>
      {mustType ? (
        <>
          <OwnedWebhooks keyId={id} />
          <Field label={`To confirm, type the name of the key: ${name}`}>
            {(control) => (
              <input
                {...control}
                type="text"
                autocomplete="off"
                spellcheck={false}
                value={typed}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
          </Field>
        </>
      ) : null}
    </ConfirmDialog>
  );
}

/** The webhooks that a key has created. */
function OwnedWebhooks({ keyId }: { readonly keyId: string }) {
  const { api } = useConsole();
  const { data } = useResource("every webhook", (signal) =>
    api.list<ConsoleWebhook>("console/api/webhooks", { query: { limit: "100" }, signal }),
  );
  if (data === undefined) return <Loading />;
  const owned = data.rows.filter(
    ({ created_by }) => created_by.type === "key" && created_by.key_id === keyId,
  );
  return (
    <ul class="names">
      {owned.map(({ id, target_url, name, event }) => (
        <li key={id}>
          <Endpoint url={target_url} name={name} /> <code>{event}</code>
        </li>
      ))}
    </ul>
  );
}
