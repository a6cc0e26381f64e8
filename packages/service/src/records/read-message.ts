import { createTextCache } from "@hookwright/delivery";
import type { Message, ReadMessage } from "@hookwright/delivery";
import { bodyId, eventCatalogue } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { mayDeliver, parseAccountRow, parseProjectRow } from "../accounts/account-row.ts";
import { keys } from "../store/keys.ts";
import { readRecordJson } from "./record-row.ts";

/**
 * The body of a delivery (specification §6.3), from the record as it is now. The record's JSON is spliced in as it is
 * stored, so what the API answers and what webhooks carry are the same text.
 */
export function createReadMessage({ store }: { readonly store: Store }): ReadMessage {
  // The envelope's `project`, rendered once for each state a site has been in.
  const renderProject = createTextCache((text) => {
    const { id, name, timezone } = parseProjectRow(text);
    return { json: JSON.stringify({ id, name, timezone }) };
  });

  return async (accountId, { event, record_id: recordId, project_id: projectId }): Promise<Message> => {
    const [recordText, projectText, accountText] = await store.getMany([
      keys.record(accountId, eventCatalogue[event].kind, recordId),
      keys.project(accountId, projectId),
      keys.account(accountId),
    ]);
    if (recordText === undefined || projectText === undefined) return { ok: false, reason: "record_deleted" };
    if (accountText === undefined || !mayDeliver(parseAccountRow(accountText))) {
      return { ok: false, reason: "account_not_active" };
    }
    // Event names and record ids are letters, digits and `_.:-`: nothing to escape.
    const head = `{"id":"${bodyId(event, recordId)}","event":"${event}","project":${renderProject(projectText).json}`;
    return { ok: true, body: `${head},"data":${readRecordJson(recordText)}}` };
  };
}
