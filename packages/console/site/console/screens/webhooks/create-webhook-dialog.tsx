import type { ConsoleWebhook, CreatedConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { BodyText } from "../../parts/bodies.tsx";
import { Button } from "../../parts/buttons.tsx";
import { SiteName } from "../../parts/cells.tsx";
import { Dialog, FormDialog } from "../../parts/dialogs.tsx";
import { Check } from "../../parts/fields.tsx";
import { toStandardForm, VerifySnippet } from "../../parts/secrets.tsx";
import { TestButton } from "../../parts/test-button.tsx";
import { useConsole } from "../../state/console-context.ts";
import type { Secret, SecretForm } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";
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
        const answered = await api.post<Answered>(toPath("webhooks"), body);
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

/**
 * What is shown after webhooks were created: the secret of each, how to verify with it, and a test.
 *
 * @param created at least one, all with the same URL
 */
function toCreatedSecret(created: readonly CreatedConsoleWebhook[]): Secret {
  const areSeveral = created.length > 1;
  const [first, ...others] = created.flatMap((webhook) => toForms(webhook, areSeveral));
  if (first === undefined) throw new Error("toCreatedSecret needs at least one webhook.");
  return {
    ...first,
    title: areSeveral ? `${created.length} webhooks created` : "Webhook created",
    otherForms: others,
    areSeveral,
    text: <CreatedText created={created} />,
    next: <CreatedTests created={created} />,
  };
}

function toForms(webhook: CreatedConsoleWebhook, areSeveral: boolean): readonly SecretForm[] {
  const { event, signing_secret, standard_signing_secret } = webhook;
  const ours = areSeveral
    ? { label: `Signing secret for ${event}`, value: signing_secret, variable: toVariable(event) }
    : { label: "Signing secret", value: signing_secret };
  return [ours, ...toStandardForm(standard_signing_secret)];
}

/** @example toVariable("order.created") // "WEBHOOK_SECRET_ORDER_CREATED" */
function toVariable(event: string): string {
  return `WEBHOOK_SECRET_${event.replaceAll(/\W+/gu, "_").toUpperCase()}`;
}

interface CreatedProps {
  readonly created: readonly CreatedConsoleWebhook[];
}

function CreatedText({ created }: CreatedProps) {
  const url = <bdi>{created[0]?.target_url}</bdi>;
  if (created.length === 1)
    return (
      <>
        Deliveries to {url} are signed with this secret. Your endpoint verifies them with it:
        <VerifySnippet />
      </>
    );
  return (
    <>
      There are {created.length} webhooks to {url}, one for each event, and {created.length} different
      secrets. Your endpoint verifies each event with its own secret:
      <VerifySnippet variables={Object.fromEntries(created.map(({ event }) => [event, toVariable(event)]))} />
    </>
  );
}

/** The links open another tab, because the secret is still shown in this one. */
function CreatedTests({ created }: CreatedProps) {
  return (
    <>
      {created.map(({ id, event }) => (
        <div key={id} class="created">
          <p>
            <code>{event}</code>{" "}
            <a href={hrefTo(["webhooks", id])} target="_blank" rel="noreferrer">
              Open the webhook in a new tab
            </a>
          </p>
          <TestButton webhookId={id} />
        </div>
      ))}
    </>
  );
}

interface EventsFieldProps {
  readonly chosen: readonly string[];
  readonly problem: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses events, and shows a sample of the one that was chosen last. */
function EventsField({ chosen, problem, onChange }: EventsFieldProps) {
  const { eventTypes } = useConsole();
  const sample = eventTypes.find(({ event }) => event === chosen.at(-1));
  return (
    <fieldset tabIndex={-1}>
      <legend>Events</legend>
      <div class="choices">
        {eventTypes.map(({ event, name, description }) => (
          <Check
            key={event}
            title={description}
            checked={chosen.includes(event)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, event] : chosen.filter((each) => each !== event))
            }
          >
            {name} <code class="quiet">{event}</code>
          </Check>
        ))}
      </div>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {sample === undefined ? null : (
        <details>
          <summary>Sample of {sample.event}</summary>
          <BodyText name={`Sample of ${sample.event}`}>{JSON.stringify(sample.sample, null, 2)}</BodyText>
        </details>
      )}
    </fieldset>
  );
}
