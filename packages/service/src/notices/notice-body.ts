import type { Notice } from "@hookwright/domain";

/** The body of a signed notice: the envelope of every delivery, so `verify` accepts it. */
export function toPostBody(notice: Notice): string {
  const { id, kind } = notice;
  return JSON.stringify({ id: `${kind}_${id}`, event: kind, project: {}, data: notice });
}

/** Hosts of workflows of Microsoft Teams. They accept only cards. */
const teams = /(?:^|\.)(?:logic\.azure\.com|powerplatform\.com|powerautomate\.com|webhook\.office\.com)$/u;
const discord = /(?:^|\.)discord(?:app)?\.com$/u;
/** Of Discord, the smallest limit. */
const longestMessage = 2_000;

/**
 * A message as chats accept it: `text` (Slack, Mattermost, Google Chat, Rocket.Chat), `content` (Discord) or an adaptive card (Microsoft
 * Teams). Discord refuses a body without `content`, and Google Chat one with unknown fields.
 */
export function toChatBody(url: string, message: string): string {
  const { hostname, pathname } = new URL(url);
  const text = message.slice(0, longestMessage);
  // Discord also has URLs that accept what Slack does.
  if (discord.test(hostname) && !pathname.endsWith("/slack"))
    return JSON.stringify({ content: text, allowed_mentions: { parse: [] } });
  if (!teams.test(hostname)) return JSON.stringify({ text });
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
