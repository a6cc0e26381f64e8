import { findDeliveries } from "@hookwright/delivery";
import {
  HookwrightError,
  noticeEndpointInputSchema,
  noticeKinds,
  parseInput,
  toTimestamp,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { SentNotice } from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { keys, operator } from "../rows/keys.ts";
import { parseNoticeEndpoint } from "../rows/notice-endpoint-row.ts";
import type { NoticeEndpointRow } from "../rows/notice-endpoint-row.ts";
import { parseNoticeMessage } from "../rows/notice-message-row.ts";
import { showSecret } from "../secrets/signing.ts";
import { readIdPage } from "../store/id-page.ts";
import type { NoticeEndpointUseCases } from "../use-cases.ts";
import { createEndpoint, expectUrl, moveEndpoint, removeEndpoint } from "./endpoints.ts";

const target = { kind: "notice_endpoint", id: null } as const;

/** The URL of the operator that gets notices of all accounts. */
export function createNoticeEndpoint(context: ServiceContext): NoticeEndpointUseCases {
  const { store, signing } = context;
  const key = keys.noticeEndpoint();

  async function read(): Promise<NoticeEndpointRow | undefined> {
    return parseNoticeEndpoint(await store.get(key));
  }

  async function expectEndpoint(): Promise<NoticeEndpointRow> {
    const row = await read();
    if (row === undefined)
      throw new HookwrightError("resource_not_found", "There is no URL for notices. PUT one first.");
    return row;
  }

  return {
    async put(input, origin) {
      const before = await read();
      const given = parseInput(noticeEndpointInputSchema, withoutEmpty(input));
      const { url = before?.url } = given;
      if (url === undefined) throw validationFailed(["url: is required"]);
      const kinds = [...new Set(given.kinds ?? before?.kinds ?? noticeKinds)];
      expectUrl(context, "url", url);
      const isKept = before !== undefined && (await moveEndpoint(context, operator, before.id, url));
      const created = isKept ? undefined : await createEndpoint(context, operator, url);
      const row: NoticeEndpointRow = { id: created?.id ?? before?.id ?? "", url, kinds };
      await commitAudited(context, key[0], origin, async () => ({
        commit: { mutations: [{ type: "set", key, value: JSON.stringify(row) }] },
        result: undefined,
        audited: {
          action: before === undefined ? "notice_endpoint.created" : "notice_endpoint.updated",
          accountId: null,
          target,
        },
      }));
      const secret = created && showSecret(signing, created.signingSecret);
      return { data: { url, kinds, ...secret }, created: created !== undefined };
    },

    async get() {
      const { url, kinds } = await expectEndpoint();
      return { url, kinds: [...kinds] };
    },

    async remove(origin) {
      const { id, url } = await expectEndpoint();
      await commitAudited(context, key[0], origin, async () => ({
        commit: { mutations: [{ type: "delete", key }] },
        result: undefined,
        audited: { action: "notice_endpoint.deleted", accountId: null, target },
      }));
      await removeEndpoint(context, operator, id);
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
            next_attempt_at: nextAt === null ? null : toTimestamp(nextAt),
          },
        ];
      });
      return { rows, meta: texts.meta };
    },
  };
}
