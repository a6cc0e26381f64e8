import type { BodyForm, Notice } from "@hookwright/domain";

/** The body of a signed notice: the envelope of every delivery, so `verify` accepts it. */
export function toPostBody(notice: Notice, form: BodyForm = "hookwright"): string {
  const { id, kind, created_at } = notice;
  if (form === "standard")
    return JSON.stringify({
      type: kind,
      timestamp: created_at,
      data: notice,
      id: `${kind}_${id}`,
      project: {},
    });
  return JSON.stringify({ id: `${kind}_${id}`, event: kind, project: {}, data: notice });
}

/** Hosts of workflows of Microsoft Teams. They accept only cards. */
const teams = /(?:^|\.)(?:logic\.azure\.com|powerplatform\.com|powerautomate\.com|webhook\.office\.com)$/u;
const discord = /(?:^|\.)discord(?:app)?\.com$/u;
/** Of Discord, the smallest limit. */
const longestMessage = 2_000;

/** Names in a message come from customers, so it mentions nobody and has no link with another text. */
function toPlain(message: string, maximumLength: number): string {
  const separated = message.replaceAll("@", "@\u200B").replaceAll("](", "]\u200B(");
  return separated.slice(0, maximumLength).toWellFormed();
}

/** Slack and Google Chat read commands and links in angle brackets. */
const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * A message as chats accept it: `text` (Slack, Mattermost, Google Chat, Rocket.Chat), `content` (Discord) or an adaptive card (Microsoft
 * Teams). Discord refuses a body without `content`, and Google Chat one with unknown fields.
 *
 * @param link a page of the console that the message ends with. @default none
 */
export function toChatBody(url: string, message: string, link?: string): string {
  const { hostname, pathname } = new URL(url);
  const end = link === undefined ? "" : `\n\n${link}`;
  const text = toPlain(message, longestMessage - end.length) + end;
  // Discord also has URLs that accept what Slack does.
  if (discord.test(hostname) && !pathname.endsWith("/slack"))
    return JSON.stringify({ content: text, allowed_mentions: { parse: [] } });
  if (!teams.test(hostname))
    return JSON.stringify({ text: text.replaceAll(/[&<>]/gu, (each) => escapes[each] ?? each) });
  const content = {
    type: "AdaptiveCard",
    version: "1.4",
    body: [{ type: "TextBlock", text, wrap: true }],
  };
  return JSON.stringify({
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }],
  });
}
