import { useState } from "preact/hooks";
import { Field } from "../../parts/field.tsx";
import { useConsole } from "../../state/console-context.ts";
import { findUrlProblem, toUrlProblem } from "./url-problems.tsx";

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

/** Checks the URL when the user leaves the field. The server decides when the form is submitted. */
export function UrlField({ value, problem, onChange, hint }: WebhookFieldProps & { readonly hint: string }) {
  /** The value when the user left the field. */
  const [left, setLeft] = useState<string>();
  const found = problem === undefined && left === value ? findUrlProblem(value) : undefined;
  return (
    <Field
      label={webhookLabels.target_url}
      hint={found === undefined ? hint : <span class="problem">{found}</span>}
      problem={toUrlProblem(problem)}
    >
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
          onBlur={({ currentTarget: { value: typed } }) => afterPointer(() => setLeft(typed))}
        />
      )}
    </Field>
  );
}

/** Waits while a pointer is down: a text that appears would move what is being clicked. */
function afterPointer(work: () => void): void {
  if (document.querySelector(":active") === null) work();
  else addEventListener("pointerup", () => setTimeout(work), { once: true });
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
