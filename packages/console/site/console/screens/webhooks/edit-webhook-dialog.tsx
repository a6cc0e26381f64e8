import type { ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toApiFailure } from "../../api/console-api.ts";
import { readFieldProblems } from "../../api/field-problems.ts";
import { FormDialog } from "../../parts/dialogs.tsx";
import { EventsField } from "./events-field.tsx";
import { HeaderFields, toDrafts, toHeaders } from "./header-fields.tsx";
import type { HeaderDraft } from "./header-fields.tsx";
import { NameField, SiteField, UrlField, webhookLabels } from "./webhook-fields.tsx";

/** The body of `PATCH /console/api/webhooks/{id}`. Fields that are left out do not change. */
export interface WebhookChanges {
  readonly name?: string | null;
  readonly events?: readonly string[];
  readonly target_url?: string;
  readonly project_id?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EditWebhookDialogProps {
  readonly webhook: ConsoleWebhook;
  readonly onSave: (changes: WebhookChanges) => Promise<void>;
  readonly onClose: () => void;
}

/** Changes the name, the URL, the events, the site and the custom headers of a webhook. */
export function EditWebhookDialog({ webhook, onSave, onClose }: EditWebhookDialogProps) {
  // The state when the dialog opened. A reload behind it must not change what counts as a change.
  const [before] = useState(webhook);
  const [name, setName] = useState(before.name ?? "");
  const [targetUrl, setTargetUrl] = useState(before.target_url);
  const [events, setEvents] = useState<readonly string[]>(before.events);
  const [projectId, setProjectId] = useState(before.project_id ?? "");
  const [typed, setTyped] = useState<readonly HeaderDraft[] | undefined>(
    before.headers.length === 0 ? [] : undefined,
  );
  const isOriginChanged = before.headers.length > 0 && hasOtherOrigin(before.target_url, targetUrl);
  const drafts: readonly HeaderDraft[] | undefined =
    typed ?? (isOriginChanged ? toDrafts(before.headers) : undefined);

  async function save(): Promise<void> {
    const areHeadersSent = drafts !== undefined && drafts.length + before.headers.length > 0;
    const changes: WebhookChanges = {
      ...(name === (before.name ?? "") ? {} : { name: name || null }),
      ...(targetUrl === before.target_url ? {} : { target_url: targetUrl }),
      ...(isSameSet(events, before.events) ? {} : { events }),
      ...(projectId === (before.project_id ?? "") ? {} : { project_id: projectId || null }),
      ...(areHeadersSent ? { headers: toHeaders(drafts) } : {}),
    };
    try {
      await onSave(changes);
    } catch (error) {
      // The server also refuses a move with stored headers that this dialog does not notice.
      const problems = readFieldProblems(toApiFailure(error), webhookLabels);
      if (drafts === undefined && problems.at("headers") !== undefined) setTyped(toDrafts(before.headers));
      throw error;
    }
    onClose();
  }

  return (
    <FormDialog
      title="Edit webhook"
      labels={webhookLabels}
      values={{ name, target_url: targetUrl, events, project_id: projectId }}
      submit="Save"
      disabled={events.length === 0}
      onSubmit={save}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <NameField value={name} problem={problemAt("name")} isFirst onChange={setName} />
          <UrlField
            value={targetUrl}
            problem={problemAt("target_url")}
            hint="Pending deliveries are sent to the new URL too. The signing secret stays the same."
            onChange={setTargetUrl}
          />
          <EventsField chosen={events} problem={problemAt("events")} onChange={setEvents} />
          <SiteField value={projectId} problem={problemAt("project_id")} onChange={setProjectId} />
          <HeaderFields
            stored={before.headers}
            drafts={drafts}
            isOriginChanged={isOriginChanged}
            problemAt={problemAt}
            onChange={setTyped}
          />
        </>
      )}
    </FormDialog>
  );
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join(" ") === others.toSorted().join(" ");
}

/** False while the new URL is not complete. */
function hasOtherOrigin(before: string, after: string): boolean {
  return URL.canParse(after) && new URL(after).origin !== new URL(before).origin;
}
