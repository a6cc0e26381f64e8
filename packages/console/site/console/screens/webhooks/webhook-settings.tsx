import { describeSwitchOff } from "@hookwright/domain";
import type { ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toApiFailure } from "../../api/console-api.ts";
import { readFieldProblems } from "../../api/field-problems.ts";
import { Button } from "../../parts/buttons.tsx";
import { SiteName, WebhookStatus } from "../../parts/cells.tsx";
import { Form } from "../../parts/dialogs.tsx";
import { Facts } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { parseNumber } from "../../parts/format.ts";
import { listEvents } from "../../parts/webhook-events.ts";
import { useAsk, useConsole } from "../../state/console-context.ts";
import { useAction } from "../../state/use-api.ts";
import { EventsField } from "./events-field.tsx";
import { HeaderFields, toDrafts, toHeaders } from "./header-fields.tsx";
import type { HeaderDraft } from "./header-fields.tsx";
import { deleteQuestion } from "./webhook-actions.tsx";
import {
  BodyFormField,
  NameField,
  PaceFields,
  SiteField,
  UrlField,
  webhookLabels,
} from "./webhook-fields.tsx";

/** The body of `PATCH /console/api/webhooks/{id}`. Fields that are left out do not change. */
export interface WebhookChanges {
  readonly name?: string | null;
  readonly events?: readonly string[];
  readonly target_url?: string;
  readonly project_id?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text that is no number is refused by the server. */
  readonly max_per_second?: number | string | null;
  readonly ordered?: boolean;
  readonly body_form?: string | null;
}

export interface WebhookSettingsProps {
  readonly webhook: ConsoleWebhook;
  readonly onSave: (changes: WebhookChanges) => Promise<void>;
  readonly onDelete: () => Promise<void>;
}

/** What can be changed of a webhook, what is known of it, and its end. */
export function WebhookSettings({ webhook, onSave, onDelete }: WebhookSettingsProps) {
  const { toast } = useConsole();
  const ask = useAsk();
  /** Another round begins with what is stored. */
  const [round, setRound] = useState(0);
  const begin = (): void => setRound((before) => before + 1);
  return (
    <>
      <SettingsForm
        key={round}
        webhook={webhook}
        onSave={async (changes) => {
          await onSave(changes);
          toast("Saved.");
          begin();
        }}
        onDiscard={begin}
      />
      <section>
        <h2>Details</h2>
        <WebhookFacts webhook={webhook} />
      </section>
      <section>
        <h2>Danger zone</h2>
        <div class="panel danger-zone">
          <p>Deletes the webhook and its secret. Nothing of it is sent any more.</p>
          <Button
            changes
            kind="danger"
            onClick={() => ask({ ...deleteQuestion(webhook), onConfirm: onDelete })}
          >
            Delete
          </Button>
        </div>
      </section>
    </>
  );
}

interface SettingsFormProps extends Pick<WebhookSettingsProps, "webhook" | "onSave"> {
  readonly onDiscard: () => void;
}

/** The name, the URL, the events, the site and the custom headers. */
function SettingsForm({ webhook, onSave, onDiscard }: SettingsFormProps) {
  const action = useAction();
  // The state when the form opened. A reload behind it must not change what counts as a change.
  const [before] = useState(webhook);
  const [name, setName] = useState(before.name ?? "");
  const [targetUrl, setTargetUrl] = useState(before.target_url);
  const [events, setEvents] = useState<readonly string[]>(before.events);
  const [projectId, setProjectId] = useState(before.project_id ?? "");
  const limitBefore = String(before.max_per_second ?? "");
  const [limit, setLimit] = useState(limitBefore);
  const [isOrdered, setOrdered] = useState(before.ordered);
  const [bodyForm, setBodyForm] = useState<string>(before.body_form ?? "");
  const [typed, setTyped] = useState<readonly HeaderDraft[] | undefined>(
    before.headers.length === 0 ? [] : undefined,
  );
  const isOriginChanged = before.headers.length > 0 && hasOtherOrigin(before.target_url, targetUrl);
  const drafts: readonly HeaderDraft[] | undefined =
    typed ?? (isOriginChanged ? toDrafts(before.headers) : undefined);

  const areHeadersSent = drafts !== undefined && drafts.length + before.headers.length > 0;
  const changes = (): WebhookChanges => ({
    ...(name === (before.name ?? "") ? {} : { name: name || null }),
    ...(targetUrl === before.target_url ? {} : { target_url: targetUrl }),
    ...(isSameSet(events, before.events) ? {} : { events }),
    ...(projectId === (before.project_id ?? "") ? {} : { project_id: projectId || null }),
    ...(limit === limitBefore ? {} : { max_per_second: parseNumber(limit) }),
    ...(isOrdered === before.ordered ? {} : { ordered: isOrdered }),
    ...(bodyForm === (before.body_form ?? "") ? {} : { body_form: bodyForm || null }),
  });
  const isChanged = areHeadersSent || Object.keys(changes()).length > 0;

  async function save(): Promise<void> {
    try {
      await onSave({ ...changes(), ...(areHeadersSent ? { headers: toHeaders(drafts) } : {}) });
    } catch (error) {
      // The server also refuses a move with stored headers that this form does not notice.
      const problems = readFieldProblems(toApiFailure(error), webhookLabels);
      if (drafts === undefined && problems.at("headers") !== undefined) setTyped(toDrafts(before.headers));
      throw error;
    }
  }

  return (
    <div class="panel">
      <Form
        label="Settings of the webhook"
        labels={webhookLabels}
        values={{
          name,
          target_url: targetUrl,
          events,
          project_id: projectId,
          max_per_second: limit,
          ordered: isOrdered,
          body_form: bodyForm,
        }}
        submit="Save"
        disabled={events.length === 0 || !isChanged}
        action={action}
        cancel={
          isChanged ? (
            <Button disabled={action.busy} onClick={onDiscard}>
              Discard changes
            </Button>
          ) : null
        }
        onSubmit={save}
      >
        {(problemAt) => (
          <>
            <NameField value={name} problem={problemAt("name")} onChange={setName} />
            <UrlField
              value={targetUrl}
              problem={problemAt("target_url")}
              hint="Pending deliveries are sent to the new URL too. The signing secret stays the same."
              isFirst={false}
              onChange={setTargetUrl}
            />
            <EventsField chosen={events} problem={problemAt("events")} onChange={setEvents} />
            <SiteField value={projectId} problem={problemAt("project_id")} onChange={setProjectId} />
            <PaceFields
              maxPerSecond={limit}
              isOrdered={isOrdered}
              problemAt={problemAt}
              onLimit={setLimit}
              onOrder={setOrdered}
            />
            <BodyFormField value={bodyForm} problem={problemAt("body_form")} onChange={setBodyForm} />
            <HeaderFields
              stored={before.headers}
              drafts={drafts}
              isOriginChanged={isOriginChanged}
              problemAt={problemAt}
              onChange={setTyped}
            />
          </>
        )}
      </Form>
    </div>
  );
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join(" ") === others.toSorted().join(" ");
}

/** False while the new URL is not complete. */
function hasOtherOrigin(before: string, after: string): boolean {
  return URL.canParse(after) && new URL(after).origin !== new URL(before).origin;
}

/** What is known of a webhook, also of a removed one. */
export function WebhookFacts({ webhook }: { readonly webhook: ConsoleWebhook }) {
  const { id, events, project_id, consecutive_failures, created_by, headers } = webhook;
  const { rules } = useConsole();
  const creator =
    created_by.type === "console" ? (
      "the console"
    ) : (
      <>
        the key “<bdi>{created_by.name ?? created_by.key_id}</bdi>”
      </>
    );
  return (
    <Facts
      facts={{
        Status: <WebhookStatus webhook={webhook} />,
        [events.length === 1 ? "Event" : "Events"]: <code>{listEvents(webhook)}</code>,
        Site: <SiteName id={project_id} />,
        "Custom headers": headers.length === 0 ? undefined : headers.join(", "),
        [webhookLabels.body_form]: webhook.body_form ?? undefined,
        "Consecutive failures": consecutive_failures,
        "Disabled by failures": rules === undefined ? undefined : describeSwitchOff(rules),
        "Last accepted": <Time at={webhook.last_success_at} />,
        "Last failed": <Time at={webhook.last_failure_at} />,
        Created: <Time at={webhook.created_at} />,
        "Created by": creator,
        Id: <code>{id}</code>,
      }}
    />
  );
}
