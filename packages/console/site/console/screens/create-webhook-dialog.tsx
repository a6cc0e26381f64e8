import type { ConsoleWebhook, CreatedConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { Field } from "../parts/field.tsx";
import { toStandardForm } from "../parts/secret-dialog.tsx";
import { SiteName } from "../parts/site-name.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";
import { hrefTo } from "../state/use-route.ts";

export interface CreateWebhookDialogProps {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

type Answered = ConsoleWebhook & Partial<Pick<CreatedConsoleWebhook, SecretField>>;
type SecretField = "signing_secret" | "standard_signing_secret";

/** The form's labels of the API's fields. */
const labels = { event: "Event", target_url: "URL", project_id: "Site" };

/** Asks for event, URL and site. Then shows the signing secret, or the webhook that already exists. */
export function CreateWebhookDialog({ onClose, onCreated }: CreateWebhookDialogProps) {
  const { api, projects, eventTypes, showSecret } = useConsole();
  const [chosen, setChosen] = useState<string>();
  const [targetUrl, setTargetUrl] = useState("");
  const [projectId, setProjectId] = useState("");
  const [existing, setExisting] = useState<ConsoleWebhook>();
  const action = useAction();
  const type = eventTypes.find(({ event }) => event === chosen) ?? eventTypes[0];

  async function create(): Promise<void> {
    const body = { event: type?.event, target_url: targetUrl, project_id: projectId };
    const { signing_secret, standard_signing_secret, ...webhook } = await api.post<Answered>(
      "console/api/webhooks",
      body,
    );
    onCreated();
    if (signing_secret === undefined) return setExisting(webhook);
    showSecret({
      title: "Webhook created",
      label: "Signing secret",
      value: signing_secret,
      otherForms: toStandardForm(standard_signing_secret),
      text: (
        <>
          Deliveries of {webhook.event} to <bdi>{webhook.target_url}</bdi> are signed with this secret. Your
          endpoint verifies them with it.
        </>
      ),
    });
    onClose();
  }

  if (existing !== undefined) {
    return (
      <Dialog key="existing" title="This webhook already exists" onClose={onClose}>
        <p>
          <a href={hrefTo(["webhooks", existing.id])}>
            <bdi>{existing.target_url}</bdi>
          </a>{" "}
          receives <code>{existing.event}</code> of <SiteName id={existing.project_id} /> already. Nothing was
          changed. Its signing secret is still the same.
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
    <Dialog title="Create a webhook" onClose={action.busy ? undefined : onClose}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void action.run(create);
        }}
      >
        <FailureNote failure={action.failure} labels={labels} />
        <Field label={labels.event} hint={type?.description}>
          {(control) => (
            <select
              {...control}
              value={type?.event}
              onChange={(changed) => setChosen(changed.currentTarget.value)}
            >
              {eventTypes.map(({ event, name }) => (
                <option key={event} value={event}>
                  {name} ({event})
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={labels.target_url} hint="It must begin with https:// and have a public address.">
          {(control) => (
            <input
              {...control}
              type="text"
              inputMode="url"
              required
              autofocus
              spellcheck={false}
              placeholder="https://example.com/webhooks"
              value={targetUrl}
              onInput={(changed) => setTargetUrl(changed.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={labels.project_id}>
          {(control) => (
            <select
              {...control}
              value={projectId}
              onChange={(changed) => setProjectId(changed.currentTarget.value)}
            >
              <option value="">Every site</option>
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div class="actions end">
          <Button disabled={action.busy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={action.busy} disabled={type === undefined}>
            Create webhook
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
