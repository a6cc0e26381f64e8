import { Field } from "../../parts/field.tsx";
import { useConsole } from "../../state/console-context.ts";

/** The labels of the API's fields of a webhook. */
export const webhookLabels = {
  name: "Name",
  event: "Event",
  target_url: "URL",
  project_id: "Site",
  headers: "Custom headers",
};

interface WebhookFieldProps {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

export function UrlField({ value, problem, onChange, hint }: WebhookFieldProps & { readonly hint: string }) {
  return (
    <Field label={webhookLabels.target_url} hint={hint} problem={problem}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="url"
          required
          autofocus
          spellcheck={false}
          placeholder="https://example.com/webhooks"
          value={value}
          onInput={(changed) => onChange(changed.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** The value of every site is an empty text. */
export function SiteField({ value, problem, onChange }: WebhookFieldProps) {
  const { projects } = useConsole();
  const isKnown = value === "" || projects.some(({ id }) => id === value);
  return (
    <Field label={webhookLabels.project_id} problem={problem}>
      {(control) => (
        <select {...control} value={value} onChange={(changed) => onChange(changed.currentTarget.value)}>
          <option value="">All sites</option>
          {isKnown ? null : <option value={value}>{value}</option>}
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
