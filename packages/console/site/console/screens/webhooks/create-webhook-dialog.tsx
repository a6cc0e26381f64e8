import type { ConsoleWebhook, CreatedConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { SiteName } from "../../parts/site-name.tsx";
import { useConsole } from "../../state/console-context.ts";
import { toCreatedSecret } from "./created-secret.tsx";
import { EventsField } from "./events-field.tsx";
import { hrefTo } from "../../state/use-route.ts";
import { SiteField, UrlField, webhookLabels } from "./webhook-fields.tsx";

export interface CreateWebhookDialogProps {
  /** An event that is chosen at first. */
  readonly event?: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

type Answered = ConsoleWebhook & Partial<Pick<CreatedConsoleWebhook, SecretField>>;
type SecretField = "signing_secret" | "standard_signing_secret";

/** The event that is chosen at first, because most shops begin with it. */
const firstEvent = "order.created";

/** Asks for URL, events and site, and creates one webhook for each event. Then shows their signing secrets. */
export function CreateWebhookDialog({ event = firstEvent, onClose, onCreated }: CreateWebhookDialogProps) {
  const { api, eventTypes, showSecret } = useConsole();
  const [chosen, setChosen] = useState<readonly string[]>([event]);
  const [targetUrl, setTargetUrl] = useState("");
  const [projectId, setProjectId] = useState("");
  const [existing, setExisting] = useState<readonly ConsoleWebhook[]>([]);

  async function create(): Promise<void> {
    const created: Required<Answered>[] = [];
    const known: ConsoleWebhook[] = [];
    // One after the other: the first refusal ends it, and what was created is shown.
    try {
      for (const each of chosen) {
        const body = { event: each, target_url: targetUrl, project_id: projectId };
        const answered = await api.post<Answered>("console/api/webhooks", body);
        if (isCreated(answered)) created.push(answered);
        else known.push(answered);
      }
    } finally {
      if (created.length > 0) showSecret(toCreatedSecret(created));
      onCreated();
    }
    if (known.length > 0) setExisting(known);
    else onClose();
  }

  if (existing.length > 0) return <ExistingDialog webhooks={existing} onClose={onClose} />;
  return (
    <FormDialog
      title="Create a webhook"
      labels={webhookLabels}
      values={{ target_url: targetUrl, event: chosen, project_id: projectId }}
      submit={chosen.length > 1 ? `Create ${chosen.length} webhooks` : "Create webhook"}
      disabled={chosen.length === 0 || eventTypes.length === 0}
      onSubmit={create}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <UrlField
            value={targetUrl}
            problem={problemAt("target_url")}
            hint="It must begin with https:// and have a public address."
            onChange={setTargetUrl}
          />
          <EventsField chosen={chosen} problem={problemAt("event")} onChange={setChosen} />
          <SiteField value={projectId} problem={problemAt("project_id")} onChange={setProjectId} />
        </>
      )}
    </FormDialog>
  );
}

function isCreated(answered: Answered): answered is Required<Answered> {
  return answered.signing_secret !== undefined;
}

interface ExistingDialogProps {
  readonly webhooks: readonly ConsoleWebhook[];
  readonly onClose: () => void;
}

function ExistingDialog({ webhooks, onClose }: ExistingDialogProps) {
  return (
    <Dialog title="This webhook already exists" onClose={onClose}>
      {webhooks.map(({ id, target_url, event, project_id }) => (
        <p key={id}>
          <a href={hrefTo(["webhooks", id])}>
            <bdi>{target_url}</bdi>
          </a>{" "}
          receives <code>{event}</code> of <SiteName id={project_id} /> already. Nothing was changed. Its
          signing secret is still the same.
        </p>
      ))}
      <div class="actions end">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
