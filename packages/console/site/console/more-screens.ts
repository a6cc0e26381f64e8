/** Loaded with the first of these screens. One part compresses better than several. */
export { OperatorApp } from "./operator/operator-app.tsx";
export { Activity } from "./screens/activity/activity.tsx";
export { EventCatalogue } from "./screens/events/event-catalogue.tsx";
export { InvitationPage } from "./screens/people/invitation-page.tsx";
export { KeyList } from "./screens/keys/keys.tsx";
export { Listen } from "./screens/listen/listen.tsx";
export { PeopleList } from "./screens/people/people.tsx";
export { SharedPage } from "./screens/deliveries/shared-delivery.tsx";
export { RequestLog } from "./screens/requests/request-log.tsx";
export { ConfirmPage, StopPage } from "./screens/settings/mail-links.tsx";
export { Settings } from "./screens/settings/settings.tsx";
export { WebhookDetail } from "./screens/webhooks/webhook-detail.tsx";
export { WebhookList } from "./screens/webhooks/webhook-list.tsx";
