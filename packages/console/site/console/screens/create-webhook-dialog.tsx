import type { ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";
import { hrefTo } from "../state/use-route.ts";

export interface CreateWebhookDialogProps {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

type Answered = ConsoleWebhook & { readonly signing_secret?: string };

/** Asks for event, URL and site; then shows the signing secret, or the webhook that was there already. */
export function CreateWebhookDialog({ onClose, onCreated }: CreateWebhookDialogProps) {
  const { api, projects, eventTypes } = useConsole();
  const [event, setEvent] = useState(eventTypes[0]?.event ?? "");
  const [targetUrl, setTargetUrl] = useState("");
  const [projectId, setProjectId] = useState("");
  const [answered, setAnswered] = useState<Answered>();
  const action = useAction();
  const create = (): Promise<boolean> =>
    action.run(async () => {
      setAnswered(
        await api.post<Answered>("console/api/webhooks", {
          event,
          target_url: targetUrl,
          project_id: projectId,
        }),
      );
      onCreated();
    });

  if (answered?.signing_secret !== undefined) {
    return (
      <SecretDialog
        title="Webhook created"
        label="Signing secret"
        secret={answered.signing_secret}
        onClose={onClose}
      >
        <p>
          Deliveries of <code>{answered.event}</code> to {answered.target_url} are signed with this secret.
          Your endpoint verifies them with it.
        </p>
      </SecretDialog>
    );
  }
  if (answered !== undefined) {
    return (
      <Dialog title="This webhook exists already" onClose={onClose}>
        <p>
          <a href={hrefTo(["webhooks", answered.id])}>{answered.target_url}</a> receives{" "}
          <code>{answered.event}</code> already. Nothing was changed, and its secret is the one it had.
        </p>
        <div class="actions end">
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Create a webhook" onClose={onClose}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void create();
        }}
      >
        <FailureNote failure={action.failure} />
        <label class="field">
          Event
          <select value={event} onChange={(changed) => setEvent(changed.currentTarget.value)}>
            {eventTypes.map(({ event, name }) => (
              <option key={event} value={event}>
                {name} ({event})
              </option>
            ))}
          </select>
          <small>{eventTypes.find((type) => type.event === event)?.description}</small>
        </label>
        <label class="field">
          URL
          <input
            type="text"
            inputMode="url"
            required
            autofocus
            spellcheck={false}
            placeholder="https://example.com/webhooks"
            value={targetUrl}
            onInput={(changed) => setTargetUrl(changed.currentTarget.value)}
          />
          <small>It begins with https:// and leads to a public address.</small>
        </label>
        <label class="field">
          Site
          <select value={projectId} onChange={(changed) => setProjectId(changed.currentTarget.value)}>
            <option value="">Every site</option>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name === "" ? id : name}
              </option>
            ))}
          </select>
        </label>
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={action.busy}>
            Create webhook
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
