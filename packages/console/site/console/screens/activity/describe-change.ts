import type { AuditEntry } from "@hookwright/domain";

/** What an action is, in words. */
export const actionTexts: Readonly<Record<AuditEntry["action"], string>> = {
  "account.created": "Account created",
  "account.updated": "Account changed",
  "account.deleted": "Account deleted",
  "api_key.created": "API key created",
  "api_key.revoked": "API key revoked",
  "console_link.created": "Link to the console created",
  "console_sessions.ended": "All sessions of the console ended",
  "delivery.resent": "Delivery sent again",
  "email_list.created": "E-mail list created",
  "email_list.updated": "E-mail list changed",
  "listener.created": "Listener opened",
  "project.created": "Site created",
  "project.updated": "Site changed",
  "record.deleted": "Record deleted",
  "recovery.started": "Recovery started",
  "recovery.stopped": "Recovery stopped",
  "sign_in.failed": "Failed sign-in",
  "suppression.created": "Address suppressed",
  "suppression.updated": "Suppression changed",
  "suppression.deleted": "Suppression removed",
  "webhook.created": "Webhook created",
  "webhook.updated": "Webhook changed",
  "webhook.deleted": "Webhook removed",
  "webhook.paused": "Webhook paused",
  "webhook.resumed": "Webhook resumed",
  "webhook.disabled": "Webhook disabled by the operator",
  "webhook.enabled": "Webhook enabled by the operator",
  "webhook.turned_on": "Webhook turned on",
  "webhook.tested": "Test sent",
  "webhook.rotation_started": "Secret rotation started",
  "webhook.rotation_finished": "Secret rotation finished",
  "webhook.rotation_cancelled": "Secret rotation cancelled",
  "webhook_action.started": "Action on many webhooks started",
  "webhook_action.stopped": "Action on many webhooks stopped",
};

/** Who made a change, in words. */
export function describeActor({ kind, id, name }: AuditEntry["actor"]): string {
  switch (kind) {
    case "host":
      return `Host token ${name}`;
    case "program":
      return "Host program";
    case "owner":
      return "Account owner";
    case "link":
      return name === null ? "Link to the console" : `Link by ${name}`;
    case "api_key":
      return `API key ${id}`;
    case "client":
      return "Somebody without a valid password";
  }
}
