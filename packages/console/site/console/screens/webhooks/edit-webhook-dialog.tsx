import type { ConsoleWebhook } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { ApiFailure, toApiFailure } from "../../api/api-failure.ts";
import { readFieldProblems } from "../../api/field-problems.ts";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { HeaderFields, toDrafts } from "./header-fields.tsx";
import type { HeaderDraft } from "./header-fields.tsx";
import { SiteField, UrlField, webhookLabels } from "./webhook-fields.tsx";

/** The body of `PATCH /console/api/webhooks/{id}`. Fields that are left out do not change. */
export interface WebhookChanges {
  readonly name?: string | null;
  readonly target_url?: string;
  readonly project_id?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EditWebhookDialogProps {
  readonly webhook: ConsoleWebhook;
  readonly onSave: (changes: WebhookChanges) => Promise<void>;
  readonly onClose: () => void;
}

/** Changes the name, the URL, the site and the custom headers of a webhook. */
export function EditWebhookDialog({ webhook, onSave, onClose }: EditWebhookDialogProps) {
  // The state when the dialog opened. A reload behind it must not change what counts as a change.
  const [before] = useState(webhook);
  const [name, setName] = useState(before.name ?? "");
  const [targetUrl, setTargetUrl] = useState(before.target_url);
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
      values={{ name, target_url: targetUrl, project_id: projectId }}
      submit="Save"
      onSubmit={save}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <Field
            label={webhookLabels.name}
            hint="Optional. Only you and your team see it."
            problem={problemAt("name")}
          >
            {(control) => (
              <input
                {...control}
                type="text"
                autofocus
                maxLength={100}
                value={name}
                onInput={(changed) => setName(changed.currentTarget.value)}
              />
            )}
          </Field>
          <UrlField
            value={targetUrl}
            problem={problemAt("target_url")}
            hint="Pending deliveries are sent to the new URL too. The signing secret stays the same."
            onChange={setTargetUrl}
          />
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

/** False while the new URL is not complete. */
function hasOtherOrigin(before: string, after: string): boolean {
  return URL.canParse(after) && new URL(after).origin !== new URL(before).origin;
}

/** @throws ApiFailure `validation_failed` if a name is there twice: an object of headers cannot contain it twice */
function toHeaders(drafts: readonly HeaderDraft[]): Readonly<Record<string, string>> {
  const names = drafts.map((draft) => draft.name.trim());
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new ApiFailure("validation_failed", `headers.${twice}: is there twice`);
  return Object.fromEntries(drafts.map(({ value }, index) => [names[index] ?? "", value]));
}
