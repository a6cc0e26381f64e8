import { formatLong } from "@hookwright/domain";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Check, Choice, TextField } from "../../parts/fields.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/route.ts";

/** The labels of the API's fields of a webhook. */
export const webhookLabels = {
  name: "Name",
  event: "Event",
  events: "Events",
  target_url: "URL",
  project_id: "Site",
  headers: "Custom headers",
  body_form: "Form of the body",
  max_per_second: "Requests a second, at most",
  ordered: "In order",
  signing_secret: "Signing secret",
};

interface WebhookFieldProps {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

/**
 * Checks the URL when the user leaves the field. The server decides when the form is submitted.
 *
 * @param isFirst whether it gets the focus when the dialog opens. @default true
 */
export function UrlField({
  value,
  problem,
  onChange,
  hint,
  isFirst = true,
}: WebhookFieldProps & { readonly hint: string; readonly isFirst?: boolean }) {
  /** The value when the user left the field. */
  const [left, setLeft] = useState<string>();
  const found = problem === undefined && left === value ? findUrlProblem(value) : undefined;
  return (
    <TextField
      label={webhookLabels.target_url}
      hint={found === undefined ? hint : <span class="problem">{found}</span>}
      problem={toUrlProblem(problem)}
      input={{
        inputMode: "url",
        required: true,
        autofocus: isFirst,
        spellcheck: false,
        placeholder: "https://example.com/webhooks",
        onBlur: ({ currentTarget: { value: typed } }) => afterPointer(() => setLeft(typed)),
      }}
      value={value}
      onChange={onChange}
    />
  );
}

/** Waits while a pointer is down: a text that appears would move what is being clicked. */
function afterPointer(work: () => void): void {
  if (document.querySelector(":active") === null) work();
  else addEventListener("pointerup", () => setTimeout(work), { once: true });
}

export function NameField({ value, problem, onChange }: WebhookFieldProps) {
  return (
    <TextField
      label={webhookLabels.name}
      hint="Optional. Only you and your team see it."
      problem={problem}
      input={{ maxLength: 100 }}
      value={value}
      onChange={onChange}
    />
  );
}

interface PaceFieldsProps {
  /** Digits, or nothing: no limit. */
  readonly maxPerSecond: string;
  readonly isOrdered: boolean;
  readonly problemAt: (field: string) => string | undefined;
  readonly onLimit: (value: string) => void;
  readonly onOrder: (isOrdered: boolean) => void;
}

/** How fast a webhook sends, and in which order. */
export function PaceFields({ maxPerSecond, isOrdered, problemAt, onLimit, onOrder }: PaceFieldsProps) {
  const { rules } = useConsole();
  return (
    <>
      <TextField
        label={webhookLabels.max_per_second}
        hint="1 to 1,000. Empty: no limit. Retries count, tests do not. Deliveries over the limit wait."
        problem={problemAt("max_per_second")}
        input={{ inputMode: "numeric", maxLength: 4 }}
        value={maxPerSecond}
        onChange={onLimit}
      />
      <Check checked={isOrdered} onChange={onOrder}>
        {webhookLabels.ordered}: one request at a time. A delivery that fails holds back all later ones until
        it is accepted or has finally failed
        {rules === undefined
          ? ""
          : `, ${formatLong(sumOf(rules.retry_delays_seconds))} after its first attempt`}
        .
      </Check>
    </>
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The value of every site is an empty text. */
export function SiteField({ value, problem, onChange }: WebhookFieldProps) {
  const { projects } = useConsole();
  return (
    <Choice
      label={webhookLabels.project_id}
      problem={problem}
      value={value}
      all="All sites"
      choices={projects.map(({ id, name }) => [id, name])}
      onChoose={onChange}
    />
  );
}

/** The value of the server's form is an empty text. */
export function BodyFormField({ value, problem, onChange }: WebhookFieldProps) {
  return (
    <Choice
      label={webhookLabels.body_form}
      problem={problem}
      value={value}
      all="As the server sends it"
      choices={[
        ["hookwright", "{id, event, project, data}"],
        ["standard", "{type, timestamp, data, …}, as other senders"],
      ]}
      onChoose={onChange}
    />
  );
}

/** How to receive events on a machine that has no public address. */
function ListenHint() {
  return (
    <>
      To receive events on your own machine, use <a href={hrefTo(["listen"])}>hookwright listen</a>.
    </>
  );
}

/**
 * What the server will probably refuse. It says "should", because a server for trials accepts more.
 *
 * @example findUrlProblem("http://example.com/") // "URL should begin with https://, so that nobody reads …"
 */
function findUrlProblem(text: string): ComponentChildren {
  if (text === "") return undefined;
  if (!/^https?:\/\//iu.test(text)) return "URL must begin with https://.";
  const url = URL.parse(text);
  if (url === null || !/^\w+:\/\/[^/\\?#]/u.test(text))
    return "URL must name a host, such as https://example.com/webhooks.";
  if (/^(?:.*\.)?localhost\.?$|^127\.|^\[::1\]$/u.test(url.hostname))
    return (
      <>
        URL should have a public address. <ListenHint />
      </>
    );
  if (url.protocol === "http:")
    return "URL should begin with https://, so that nobody reads the events on their way.";
  return undefined;
}

/** What the server says, without its advice to the operator. */
function toUrlProblem(problem: string | undefined): ComponentChildren {
  const { reason } = /^(?<reason>.*?); for a receiver on your machine /u.exec(problem ?? "")?.groups ?? {};
  if (reason === undefined) return problem;
  return (
    <>
      {reason}. <ListenHint />
    </>
  );
}
