/** Loaded with the first screen of a webhook. */
export { WebhookDetail } from "./screens/webhooks/webhook-detail.tsx";
export { WebhookList } from "./screens/webhooks/webhook-list.tsx";
