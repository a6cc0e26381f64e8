import type { ConsoleWebhook, CreatedConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { toStandardForm } from "../parts/secret-dialog.tsx";
import { SiteName } from "../parts/site-name.tsx";
import { useConsole } from "../state/console-context.ts";
import { hrefTo } from "../state/use-route.ts";
import { SiteField, UrlField, webhookLabels } from "./webhook-fields.tsx";

export interface CreateWebhookDialogProps {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

type Answered = ConsoleWebhook & Partial<Pick<CreatedConsoleWebhook, SecretField>>;
type SecretField = "signing_secret" | "standard_signing_secret";

/** Asks for event, URL and site. Then shows the signing secret, or the webhook that already exists. */
export function CreateWebhookDialog({ onClose, onCreated }: CreateWebhookDialogProps) {
  const { api, eventTypes, showSecret } = useConsole();
  const [chosen, setChosen] = useState<string>();
  const [targetUrl, setTargetUrl] = useState("");
  const [projectId, setProjectId] = useState("");
  const [existing, setExisting] = useState<ConsoleWebhook>();
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
    <FormDialog
      title="Create a webhook"
      labels={webhookLabels}
      submit="Create webhook"
      disabled={type === undefined}
      onSubmit={create}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <Field label={webhookLabels.event} hint={type?.description} problem={problemAt("event")}>
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
          <UrlField
            value={targetUrl}
            problem={problemAt("target_url")}
            hint="It must begin with https:// and have a public address."
            onChange={setTargetUrl}
          />
          <SiteField value={projectId} problem={problemAt("project_id")} onChange={setProjectId} />
        </>
      )}
    </FormDialog>
  );
}
