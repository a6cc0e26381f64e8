import type { WebhookNotice } from "@hookwright/delivery";
import { switchOffAfterFailures } from "@hookwright/domain";
import type { Mail } from "./mailer.ts";

/** What the owner is told when a webhook fails in a row (specification §3.1). */
export function toWebhookMail(to: string, notice: WebhookNotice): Mail {
  const { targetUrl, consecutiveFailures, webhookId, lastFailure } = notice;
  if (notice.type === "failing") {
    return {
      to,
      subject: `Your webhook is failing: ${consecutiveFailures} attempts in a row`,
      text: [
        `Deliveries to ${targetUrl} (${webhookId}) have failed ${consecutiveFailures} times in a row.`,
        `The last failure: ${lastFailure}`,
        "",
        "Each is retried over about half an hour. The delivery log in the developer console shows what your endpoint answered.",
        `After ${switchOffAfterFailures} failed attempts in a row the webhook is switched off.`,
      ].join("\n"),
    };
  }
  return {
    to,
    subject: "Your webhook was switched off",
    text: [
      `Deliveries to ${targetUrl} (${webhookId}) have failed ${consecutiveFailures} times in a row, so the webhook was switched off.`,
      `The last failure: ${lastFailure}`,
      "",
      "What happens meanwhile is not sent later. Once your endpoint works again, turn the webhook on in the developer console.",
    ].join("\n"),
  };
}
