import type { WebhookNotice } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { parseAccountRow } from "../accounts/account-row.ts";
import { keys } from "../store/keys.ts";
import type { Mailer } from "./mailer.ts";
import { toWebhookMail } from "./webhook-mail.ts";

export interface NotifyOwnerOptions {
  readonly store: Store;
  readonly mailer: Mailer;
  readonly onFault: (error: unknown) => void;
}

/** Mails the account's owner. A mail that cannot be sent is a fault for the log and holds nothing up. */
export function createNotifyOwner({
  store,
  mailer,
  onFault,
}: NotifyOwnerOptions): (notice: WebhookNotice) => void {
  async function notify(notice: WebhookNotice): Promise<void> {
    const text = await store.get(keys.account(notice.accountId));
    if (text === undefined) return;
    await mailer.send(toWebhookMail(parseAccountRow(text).email, notice));
  }
  return (notice) => {
    notify(notice).catch(onFault);
  };
}
