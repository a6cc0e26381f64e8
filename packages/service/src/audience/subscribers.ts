import {
  emailSchema,
  hostSubscriberInputSchema,
  joinSubscriber,
  parseInput,
  toTimestamp,
  touchSnapshot,
  withoutEmpty,
} from "@hookwright/domain";
import type { Subscriber, SubscriberRecord } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { accountOfProject } from "../lookups/find-project.ts";
import { isVersionReferenced } from "../lookups/find-records.ts";
import { toRecordMutations } from "../rows/record-change.ts";
import { joinAddress, subscriberOf } from "../rows/subscriber-addresses.ts";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import type { RecordHead } from "../rows/record-row.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import type { SubscriberUseCases } from "../use-cases.ts";
import { createSubscribe } from "./subscribe.ts";

/**
 * Subscribers. The API, the host and published events all create records of the kind `subscribers`. The record's head stores the
 * lists. An entry by site and address finds the record.
 */
export function createSubscribers(context: ServiceContext): SubscriberUseCases {
  const { store, directory, now, newId, nextArrival } = context;
  return {
    subscribe: createSubscribe(context),

    async put(projectId, address, body) {
      const email = parseInput(emailSchema, address, { root: "email" });
      const input = parseInput(hostSubscriberInputSchema, withoutEmpty(body));
      const accountId = await accountOfProject(directory, projectId);
      const emailKey = keys.subscriberOfEmail(accountId, projectId, email);
      const subscriberId = newId("sub");
      return commitUntilDone(store, emailKey[0], async () => {
        const known = await store.get(emailKey);
        const id = known === undefined ? subscriberId : subscriberOf(known);
        const key = keys.record(accountId, "subscribers", id);
        const stored = await store.get(key);
        const before = stored === undefined ? undefined : parseRecordRow(stored);
        const existing: SubscriberRecord | undefined =
          before === undefined ? undefined : JSON.parse(before.json);
        const joined = joinSubscriber(
          existing === undefined ? undefined : { ...existing, list_ids: before?.head.list_ids ?? [] },
          { tags: input.tags },
        );
        const createdAt = now();
        const record: SubscriberRecord = {
          id,
          email,
          // A write of the host replaces the fields. Subscribing through the API only fills blank fields.
          name: input.name ?? joined.name,
          status: input.status ?? joined.status,
          tags: [...joined.tags],
          created_at: existing?.created_at ?? toTimestamp(createdAt),
        };
        const replacement = JSON.stringify(record);
        const head: RecordHead = (before &&
          touchSnapshot(before.head, { isChanged: replacement !== before.json, now: createdAt })) ?? {
          project_id: projectId,
          created_at: createdAt,
          arrival: nextArrival(),
          events: [],
          published: [],
          as_of: createdAt,
          deliveries: [],
          status: "",
          email,
          number: "",
          resends: 0,
          list_ids: [],
        };
        const subscriber: Subscriber = { ...record, project_id: projectId, list_ids: [...joined.list_ids] };
        return {
          commit: {
            checks: [
              { key: emailKey, value: known },
              { key, value: stored },
            ],
            mutations: [
              ...toRecordMutations({
                accountId,
                kind: "subscribers",
                recordId: id,
                before,
                isVersionReferenced:
                  before !== undefined &&
                  (await isVersionReferenced(store, accountId, id, before, replacement)),
                after: { head, content: { json: replacement } },
                arrival: nextArrival(),
                now: now(),
              }),
              ...joinAddress({ accountId, projectId, email }, known, id).mutations,
            ],
          },
          result: { subscriber, created: stored === undefined },
        };
      });
    },
  };
}
