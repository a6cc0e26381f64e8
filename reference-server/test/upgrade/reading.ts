import type { Hookwright } from "hookwright";
import { busyAccount } from "../support/busy-account.ts";

export const secret = "the-server-secret-of-these-tests-0123456789";

/** Ten years: the data must not expire. */
export const retentionDays = 3_650;

/** What a version wrote beside the data: what it answered, and what a reader needs. */
export interface Written {
  readonly apiKey: string;
  readonly webhookIds: readonly string[];
  /** Of the first webhook, which receives orders. */
  readonly signingSecret: string;
  /** Responses of the API by path. */
  readonly answers: Record<string, unknown>;
  readonly deliveries: readonly unknown[];
}

/** All deliveries of the account, newest first. */
export async function listDeliveries(hookwright: Hookwright) {
  const { rows } = await hookwright.deliveries.list(busyAccount, {}, { limit: 100 });
  return rows;
}
