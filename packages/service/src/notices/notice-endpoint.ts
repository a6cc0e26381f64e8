import { findDeliveries, findWebhook } from "@hookwright/delivery";
import {
  HookwrightError,
  noticeEndpointInputSchema,
  noticeKinds,
  parseInput,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { SentNotice } from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import { findChanges } from "../audit/field-changes.ts";
import type { ServiceContext } from "../context.ts";
import { keys, operator } from "../rows/keys.ts";
import { parseNoticeEndpoint } from "../rows/notice-endpoint-row.ts";
import type { NoticeEndpointRow } from "../rows/notice-endpoint-row.ts";
import { parseNoticeMessage } from "../rows/notice-message-row.ts";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { showSecret } from "../secrets/signing.ts";
import { readIdPage } from "../store/id-page.ts";
import type { NoticeEndpointUseCases } from "../use-cases.ts";
import { expectUrl, prepareEndpoint, prepareRemoval } from "./notice-webhooks.ts";

const target = { kind: "notice_endpoint", id: null } as const;

/** @throws HookwrightError `resource_not_found` */
function expectRow(text: string | undefined): NoticeEndpointRow {
  const row = parseNoticeEndpoint(text);
  if (row === undefined)
    throw new HookwrightError("resource_not_found", "There is no URL for notices. PUT one first.");
  return row;
}

/** The URL of the operator that gets notices of all accounts. */
export function createNoticeEndpoint(context: ServiceContext): NoticeEndpointUseCases {
  const { store, signing } = context;
  const key = keys.noticeEndpoint();

  return {
    async put(input, origin) {
      const given = parseInput(noticeEndpointInputSchema, withoutEmpty(input));
      return commitAudited(context, key[0], origin, async () => {
        const text = await store.get(key);
        const before = parseNoticeEndpoint(text);
        const { url = before?.url } = given;
        if (url === undefined) throw validationFailed(["url: is required"]);
        expectUrl(context, "url", url);
        const kinds = [...new Set(given.kinds ?? before?.kinds ?? noticeKinds)];
        // Both are in one partition.
        const { id, part, signingSecret } = await prepareEndpoint(context, operator, before?.id, url);
        const row: NoticeEndpointRow = { id, url, kinds };
        const isCreated = signingSecret !== undefined;
        const changed = findChanges(before, row);
        const secret = isCreated ? showSecret(signing, signingSecret) : {};
        return {
          commit: {
            checks: [{ key, value: text }, ...part.checks],
            mutations: [...part.mutations, { type: "set", key, value: JSON.stringify(row) }],
          },
          result: { data: { url, kinds, ...secret }, created: isCreated },
          audited: isCreated
            ? { action: "notice_endpoint.created", accountId: null, target }
            : changed.length === 0
              ? undefined
              : { action: "notice_endpoint.updated", accountId: null, target, changed },
        };
      });
    },

    async get() {
      const { id, url, kinds } = expectRow(await store.get(key));
      const status = (await findWebhook(store, operator, id)) === undefined ? "removed" : "active";
      return { url, kinds: [...kinds], status };
    },

    async remove(origin) {
      const { url, endpoints } = await commitAudited(context, key[0], origin, async () => {
        const text = await store.get(key);
        const row = expectRow(text);
        const removal = await prepareRemoval(context, operator, row.id);
        return {
          commit: {
            checks: [{ key, value: text }, ...(removal?.checks ?? [])],
            mutations: [{ type: "delete", key }, ...(removal?.mutations ?? [])],
            notify: removal?.notify ?? [],
          },
          result: { url: row.url, endpoints: removal?.endpoints ?? [] },
          audited: { action: "notice_endpoint.deleted", accountId: null, target },
        };
      });
      endpoints.forEach((endpoint) => context.worker.webhookChanged(endpoint));
      return { url, deleted: true };
    },

    async list(page) {
      const prefix = keys.noticeMessages(operator);
      const texts = await readIdPage(context, {
        accountId: "",
        list: "notices",
        page,
        prefix,
        toRow: parseNoticeMessage,
      });
      const ids = texts.rows.map(({ delivery_id: id }) => id);
      const deliveries = new Map((await findDeliveries(store, operator, ids)).map((row) => [row.id, row]));
      const rows = texts.rows.flatMap(({ notice, delivery_id: id }): SentNotice[] => {
        const delivery = deliveries.get(id);
        // The log is bounded.
        if (delivery === undefined) return [];
        const { status, attempts, next_attempt_at: nextAt, target_url } = delivery;
        const last = attempts.at(-1);
        return [
          {
            ...notice,
            delivery_id: id,
            target_url,
            status,
            attempts_made: attempts.length,
            last_status: last?.status ?? null,
            last_error: last?.error ?? null,
            next_attempt_at: toTimestampOrNull(nextAt),
          },
        ];
      });
      return { rows, meta: texts.meta };
    },
  };
}
