import type { ConsoleWebhook, CreatedConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { SiteName } from "../../parts/cells.tsx";
import { Dialog, FormDialog } from "../../parts/dialogs.tsx";
import { Check, TextField } from "../../parts/fields.tsx";
import { toStandardForm, VerifySnippet } from "../../parts/secrets.tsx";
import { listEvents } from "../../parts/webhook-events.ts";
import { useConsole } from "../../state/console-context.ts";
import type { Secret } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
import { EventsField } from "./events-field.tsx";
import { GoLive } from "../../parts/go-live.tsx";
import { HeaderFields, toHeaders } from "./header-fields.tsx";
import type { HeaderDraft } from "./header-fields.tsx";
import { BodyFormField, NameField, SiteField, UrlField, webhookLabels } from "./webhook-fields.tsx";

export interface CreateWebhookDialogProps {
  /** An event that is chosen at first. @default the first one of the server */
  readonly event?: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Creates a webhook that is paused. Then shows its signing secret, and where it is tested before it goes live. */
export function CreateWebhookDialog({ event, onClose, onCreated }: CreateWebhookDialogProps) {
  const { api, eventTypes, hasNoEvents, showSecret } = useConsole();
  const first = event ?? eventTypes[0]?.event;
  const [events = first === undefined ? [] : [first], setEvents] = useState<readonly string[]>();
  const [targetUrl, setTargetUrl] = useState("");
  const [name, setName] = useState("");
  const [projectId, setProjectId] = useState("");
  const [headers, setHeaders] = useState<readonly HeaderDraft[]>([]);
  const [bodyForm, setBodyForm] = useState("");
  /** Undefined: one is generated. */
  const [ownSecret, setOwnSecret] = useState<string>();
  const [existing, setExisting] = useState<ConsoleWebhook>();

  async function create(): Promise<void> {
    const answered = await api.post<ConsoleWebhook | CreatedConsoleWebhook>(toPath("webhooks"), {
      target_url: targetUrl,
      events,
      name,
      project_id: projectId,
      headers: toHeaders(headers),
      body_form: bodyForm,
      ...(ownSecret === undefined ? {} : { signing_secret: ownSecret }),
      paused: true,
    });
    onCreated();
    if (!("signing_secret" in answered)) return setExisting(answered);
    showSecret(toSecret(answered, onCreated));
    onClose();
  }

  if (existing !== undefined) return <ExistingDialog webhook={existing} onClose={onClose} />;
  return (
    <FormDialog
      title="Create a webhook"
      labels={webhookLabels}
      values={{
        target_url: targetUrl,
        events,
        name,
        project_id: projectId,
        headers,
        body_form: bodyForm,
        signing_secret: ownSecret,
      }}
      submit="Create webhook"
      disabled={events.length === 0 || (eventTypes.length === 0 && hasNoEvents !== true)}
      onSubmit={create}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <UrlField
            value={targetUrl}
            problem={problemAt("target_url")}
            hint="It should begin with https:// and have a public address."
            onChange={setTargetUrl}
          />
          <EventsField chosen={events} problem={problemAt("events")} onChange={setEvents} />
          <SiteField value={projectId} problem={problemAt("project_id")} onChange={setProjectId} />
          <NameField value={name} problem={problemAt("name")} onChange={setName} />
          <HeaderFields
            stored={[]}
            drafts={headers}
            problemAt={problemAt}
            onChange={(drafts = []) => setHeaders(drafts)}
          />
          <BodyFormField value={bodyForm} problem={problemAt("body_form")} onChange={setBodyForm} />
          <Check
            checked={ownSecret !== undefined}
            onChange={(checked) => setOwnSecret(checked ? "" : undefined)}
          >
            Use a signing secret that my endpoint has already
          </Check>
          {ownSecret === undefined ? null : (
            <TextField
              label={webhookLabels.signing_secret}
              hint="24 to 128 visible ASCII characters, such as the whsec_… of another sender. It is encrypted."
              problem={problemAt("signing_secret")}
              input={{ required: true, maxLength: 128, spellcheck: false, autoComplete: "off" }}
              value={ownSecret}
              onChange={setOwnSecret}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

interface ExistingDialogProps {
  readonly webhook: ConsoleWebhook;
  readonly onClose: () => void;
}

function ExistingDialog({ webhook, onClose }: ExistingDialogProps) {
  const { id, target_url, project_id } = webhook;
  return (
    <Dialog title="This webhook already exists" onClose={onClose}>
      <p>
        <a href={hrefTo(["webhooks", id])}>
          <bdi>{target_url}</bdi>
        </a>{" "}
        receives <code>{listEvents(webhook)}</code> of <SiteName id={project_id} /> already. Nothing was
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

/** What is shown after a webhook was created: its secret, how to verify with it, and the way to go live. */
function toSecret(created: CreatedConsoleWebhook, onLive: () => void): Secret {
  return {
    title: "Webhook created",
    label: "Signing secret",
    value: created.signing_secret,
    otherForms: toStandardForm(created),
    text: (
      <>
        Deliveries to <bdi>{created.target_url}</bdi> are signed with this secret. Your endpoint verifies them
        with it:
        <VerifySnippet />
      </>
    ),
    next: <Next webhook={created} onLive={onLive} />,
  };
}

/** The link opens another tab, because the secret is still shown in this one. */
function Next({ webhook, onLive }: { readonly webhook: ConsoleWebhook; readonly onLive: () => void }) {
  return (
    <section class="created">
      <h3>Test, then go live</h3>
      <p>
        It is paused: no event is sent yet. Store the secret in your endpoint, send a test, then go live.{" "}
        <a href={hrefTo(["webhooks", webhook.id])} target="_blank" rel="noreferrer">
          Open the webhook in a new tab
        </a>
      </p>
      <GoLive webhook={webhook} onLive={onLive} />
    </section>
  );
}
