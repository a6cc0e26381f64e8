import type { Operation } from "../routing/operation.ts";
import { accountOperations } from "./account.ts";
import { blogPostOperations } from "./blog-posts.ts";
import { contactOperations } from "./contacts.ts";
import { emailListOperations } from "./email-lists.ts";
import { eventTypeOperations } from "./event-types.ts";
import { openApiOperation } from "./openapi.ts";
import { orderOperations } from "./orders.ts";
import { projectOperations } from "./projects.ts";
import { subscriberOperations } from "./subscribers.ts";
import { webhookOperations } from "./webhooks.ts";

const keyed: readonly Operation[] = [
  ...accountOperations,
  ...projectOperations,
  ...eventTypeOperations,
  ...webhookOperations,
  ...contactOperations,
  ...subscriberOperations,
  ...emailListOperations,
  ...blogPostOperations,
  ...orderOperations,
];

export const allOperations: readonly Operation[] = [...keyed, openApiOperation(keyed)];
