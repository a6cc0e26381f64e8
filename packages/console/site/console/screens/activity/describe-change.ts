import type { AuditEntry } from "@hookwright/domain";

type Action = AuditEntry["action"];

/** Sentences that do not follow from the name of the action. */
const sentences: Partial<Readonly<Record<Action, string>>> = {
  "delivery.share_revoked": "{who} revoked a link to the delivery {what}",
  "issue.acknowledged": "{who} acknowledged an issue of {what}",
  "issue.ignored": "{who} ignored an issue of {what}",
  "issue.reopened": "{who} opened an issue of {what} again",
  "console_session.ended": "{who} ended a console session",
  "person.invited": "{who} invited {what}",
  "person.joined": "{who} accepted an invitation",
  "person.removed": "{who} removed {what} from the people",
  "person.updated": "{who} changed {what}",
  "event_type.created": "{who} declared an event",
  "event_type.updated": "{who} changed a declared event",
  "event_type.deleted": "{who} removed a declared event",
  "rejected_event.retried": "{who} published a rejected event again",
  "rejected_event.removed": "{who} removed a rejected event",
  "sign_in.failed": "{who} tried to sign in",
  "sign_in.succeeded": "{who} signed in",
  "webhook.failing": "{what} failed several times in a row",
  "webhook.recovered": "{what} accepted a delivery again",
  "webhook.switched_off": "{what} was disabled after too many failures in a row",
  "webhook.gone": "{what} was removed, because its endpoint answered 410",
  "webhook.rotation_started": "{who} started to change the secret of {what}",
  "webhook.rotation_finished": "{who} finished the change of the secret of {what}",
  "webhook.rotation_cancelled": "{who} cancelled the change of the secret of {what}",
};

const nouns: Readonly<Record<string, string>> = {
  api_key: "API key",
  project: "site",
  email_list: "e-mail list",
};
/** There is only one, or it has no name. */
const unnamed: ReadonlySet<string> = new Set(["account", "console_link", "console_sessions", "suppression"]);

const inWords = (text: string): string => (nouns[text] ?? text).replaceAll("_", " ");

/** What happened: `{who}` did it, to `{what}`. @example describe("webhook.turned_on") // "{who} turned on the webhook {what}" */
export function describe(action: Action): string {
  const [noun = "", verb = ""] = action.split(".");
  return (
    sentences[action] ?? `{who} ${inWords(verb)} the ${inWords(noun)}${unnamed.has(noun) ? "" : " {what}"}`
  );
}

/** An action as a filter. @example nameOf("api_key.revoked") // "API key revoked" */
export function nameOf(action: string): string {
  return action.split(".").map(inWords).join(" ");
}

export const actorNames: Readonly<Record<AuditEntry["actor"]["kind"], string>> = {
  owner: "The account owner",
  person: "A person",
  link: "Somebody with a link",
  api_key: "The API key",
  host: "The host token",
  program: "The host program",
  system: "The server",
  client: "Somebody without a valid password",
};

/** Who made a change, in words. @example describeActor({ kind: "host", id: null, name: "crm" }) // "The host token crm" */
export function describeActor({ kind, id, name }: AuditEntry["actor"]): string {
  const named = name ?? id;
  return kind === "person" && named !== null ? named : [actorNames[kind], named].join(" ").trim();
}
