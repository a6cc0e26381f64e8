import type { Message, ReadMessage } from "@hookwright/delivery";
import { eventCatalogue } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { mayDeliver, parseAccountRow } from "../accounts/account-row.ts";
import { keys } from "../store/keys.ts";
import { readRecordJson } from "./record-row.ts";
import { createRenderBody } from "./render-body.ts";

/** What a delivery sends: the record as it is now, or why it is not sent any more. */
export function createReadMessage({ store }: { readonly store: Store }): ReadMessage {
  const renderBody = createRenderBody();
  return async (accountId, { event, record_id: recordId, project_id: projectId }): Promise<Message> => {
    const [record, project, account] = await store.getMany([
      keys.record(accountId, eventCatalogue[event].kind, recordId),
      keys.project(accountId, projectId),
      keys.account(accountId),
    ]);
    if (record === undefined || project === undefined) return { ok: false, reason: "record_deleted" };
    if (account === undefined || !mayDeliver(parseAccountRow(account)))
      return { ok: false, reason: "account_not_active" };
    return { ok: true, body: renderBody({ event, recordId, project, json: readRecordJson(record) }) };
  };
}
