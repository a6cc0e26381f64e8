import { isAccount } from "@hookwright/delivery";
import type { WebhookNotice } from "@hookwright/delivery";
import type { Mutation } from "@hookwright/storage";
import { toSystemEntry } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { operator } from "../rows/keys.ts";
import { toWebhookNotice } from "../rows/notice-row.ts";

/** Whether it happened to the URL that gets the notices of all accounts. */
export function isOperators({ accountId }: Pick<WebhookNotice, "accountId">): boolean {
  return accountId === operator;
}

/** What the commit in which something happens to a webhook writes about it: an entry of the audit log, and a notice. */
export function toHappened(
  context: Pick<ServiceContext, "now" | "newId" | "auditRetentionMs">,
  happened: WebhookNotice,
): Mutation[] {
  // Nobody is told about an endpoint for notices.
  if (!isAccount(happened.accountId)) return [];
  return [...toSystemEntry(context, happened), toWebhookNotice(context, happened)];
}
