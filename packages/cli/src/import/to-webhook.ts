import { bodyForms, readCustomHeaders, unknownEventProblem } from "@hookwright/domain";
import type { BodyForm } from "@hookwright/domain";
import { isRow, parseJsonText } from "../api/fields.ts";

/** A line of the file as the host API takes it. */
export interface ImportedWebhook {
  readonly accountId: string;
  readonly input: {
    readonly target_url: string;
    readonly events: readonly string[];
    readonly signing_secret?: string;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly project_id?: string;
    readonly name?: string;
    readonly body_form?: BodyForm;
    readonly paused?: true;
  };
}

/** The names of the fields, and their short forms. */
const names: Readonly<Record<string, string>> = {
  account_id: "account_id",
  account: "account_id",
  target_url: "target_url",
  url: "target_url",
  events: "events",
  signing_secret: "signing_secret",
  secret: "signing_secret",
  headers: "headers",
  project_id: "project_id",
  site: "project_id",
  name: "name",
  body_form: "body_form",
};

export interface ImportDefaults {
  readonly account: string | undefined;
  readonly paused: boolean;
  /** The names of the events of the server. */
  readonly events: readonly string[];
  /** The prefix of the headers of the server. */
  readonly headerPrefix: string;
}

/** Without a line of names, the first line of a CSV file has values. A secret has at least 24 characters. */
const shortName = /^[\w ;-]{1,23}$/u;

/** Checks a line. Problems never show values, which may be secrets. */
export function toWebhook(
  given: Readonly<Record<string, unknown>>,
  { account, paused, events: known, headerPrefix }: ImportDefaults,
): ImportedWebhook | { readonly problem: string } {
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const name = Object.hasOwn(names, key) ? names[key] : undefined;
    if (name === undefined)
      return {
        problem: `has an unknown field${shortName.test(key) ? `, "${key}"` : ""}. Known are ${Object.keys(names).join(", ")}. The first line of a CSV file names them`,
      };
    if (name in fields) return { problem: `has ${name} twice` };
    if (value !== null) fields[name] = value;
  }
  const { account_id = account, target_url, signing_secret, project_id, name, body_form } = fields;
  if (!isText(account_id)) return { problem: "account_id is missing. Add the field, or --account" };
  if (!isText(target_url) || !/^https?:$/u.test(protocolOf(target_url)))
    return { problem: "target_url must be an http or https URL" };
  const events = toEvents(fields["events"]);
  if (events === undefined) return { problem: "events must name at least one event, or *" };
  if (events.includes("*") && events.length > 1) return { problem: "events must be * alone, or names" };
  const unknown = events.find((event) => event !== "*" && !known.includes(event));
  if (unknown !== undefined) return { problem: `events: ${unknownEventProblem(unknown, known)}` };
  if (
    signing_secret !== undefined &&
    !(isText(signing_secret) && /^[\x21-\x7E]{24,128}$/u.test(signing_secret))
  )
    return { problem: "signing_secret must be 24 to 128 visible ASCII characters" };
  if (project_id !== undefined && !isText(project_id)) return { problem: "project_id must be a text" };
  if (name !== undefined && !isText(name)) return { problem: "name must be a text" };
  const bodyForm = bodyForms.find((form) => form === body_form);
  if (body_form !== undefined && bodyForm === undefined)
    return { problem: `body_form must be ${bodyForms.join(" or ")}` };
  const headers = toHeaders(fields["headers"], headerPrefix);
  if (typeof headers === "string") return { problem: headers };
  return {
    accountId: account_id,
    input: {
      target_url,
      events,
      ...(signing_secret !== undefined && { signing_secret }),
      ...(headers !== undefined && { headers }),
      ...(project_id !== undefined && { project_id }),
      ...(name !== undefined && { name }),
      ...(bodyForm !== undefined && { body_form: bodyForm }),
      ...(paused && { paused }),
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}

/** A list, or names with commas, semicolons or blanks between. */
function toEvents(value: unknown): readonly string[] | undefined {
  const events = typeof value === "string" ? value.split(/[\s,;]+/u).filter((name) => name !== "") : value;
  return Array.isArray(events) && events.length > 0 && events.every(isText) ? events : undefined;
}

/** Returns the problem as a text. */
function toHeaders(
  value: unknown,
  headerPrefix: string,
): Readonly<Record<string, unknown>> | string | undefined {
  if (value === undefined) return undefined;
  const headers = typeof value === "string" ? parseJsonText(value) : value;
  if (!isRow(headers)) return "headers must be a JSON object";
  const checked = readCustomHeaders(headers, headerPrefix);
  return checked.ok ? headers : checked.problems.join(", ");
}
