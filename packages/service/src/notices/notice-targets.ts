import {
  emailSchema,
  HookwrightError,
  noticeKinds,
  noticeTargetChangesSchema,
  noticeTargetInputSchema,
  parseInput,
  toTimestamp,
  withoutEmpty,
} from "@hookwright/domain";
import type { NoticeTarget } from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { noSuch } from "../lookups/no-such.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { keys, noticesOf } from "../rows/keys.ts";
import { toNoticeMutation } from "../rows/notice-row.ts";
import { parseNoticeTargets } from "../rows/notice-targets-row.ts";
import type { NoticeTargetRow } from "../rows/notice-targets-row.ts";
import { createLinkTokens } from "../secrets/link-tokens.ts";
import type { ServerKeys } from "../secrets/server-keys.ts";
import { showSecret } from "../secrets/signing.ts";
import { createNetworkThrottle } from "../sign-in/network-throttle.ts";
import type { ChangeOrigin, NoticeTargetUseCases } from "../use-cases.ts";
import { createEndpoint, expectUrl, removeEndpoint } from "./endpoints.ts";

const maximumTargets = 20;
/** What the token of a link is authenticated with. */
export const stopsNotices = "stop notices";

/** Whom an account wants to be told. */
export function createNoticeTargets(
  context: ServiceContext,
  serverKeys: Pick<ServerKeys, "box" | "seal">,
): NoticeTargetUseCases {
  const { store, now, newId, signing } = context;
  const tokens = createLinkTokens(serverKeys, stopsNotices);
  const networks = createNetworkThrottle({ now, counted: "links that stop nothing" });

  /** Replaces the targets of an account. */
  async function change<Result>(
    accountId: string,
    origin: ChangeOrigin | undefined,
    apply: (before: readonly NoticeTargetRow[]) => {
      readonly after: readonly NoticeTargetRow[];
      readonly id: string;
      readonly result: Result;
    },
  ): Promise<Result> {
    const key = keys.noticeTargets(accountId);
    return commitAudited(context, key[0], origin, async () => {
      const text = await store.get(key);
      const { after, id, result } = apply(parseNoticeTargets(text));
      return {
        commit: {
          checks: [{ key, value: text }],
          mutations: [{ type: "set", key, value: JSON.stringify(after) }],
        },
        result,
        audited: {
          action: "notice_targets.updated",
          accountId,
          target: { kind: "notice_target", id },
        },
      };
    });
  }

  async function readTargets(accountId: string) {
    const [account, text] = await store.getMany([keys.account(accountId), keys.noticeTargets(accountId)]);
    if (account === undefined) throw noSuch("account");
    return { account: parseAccountRow(account), targets: parseNoticeTargets(text) };
  }

  /** Undefined: the account was deleted. */
  async function readIfPresent(accountId: string) {
    const account = await store.get(keys.account(accountId));
    return account === undefined ? undefined : readTargets(accountId);
  }

  async function removeTarget(accountId: string, id: string, origin?: ChangeOrigin): Promise<void> {
    const removed = await change(accountId, origin, (before) => ({
      after: before.filter((each) => each.id !== id),
      id,
      result: expectTarget(before, id),
    }));
    if (removed.type !== "email") await removeEndpoint(context, noticesOf(accountId), id);
  }

  /** What a link stops. */
  async function openStop(token: string, client: Parameters<typeof networks.take>[0]) {
    const [accountId = "", id = ""] = tokens.open(token)?.split(" ") ?? [];
    const found = accountId === "" ? undefined : await readIfPresent(accountId);
    const target = found?.targets.find((each) => each.id === id);
    if (found !== undefined && target !== undefined) return { accountId, id, account: found.account, target };
    networks.take(client);
    throw new HookwrightError(
      "resource_not_found",
      "The link stops nothing: it is wrong, or these mails were stopped before.",
    );
  }

  return {
    async list(accountId) {
      const { account, targets } = await readTargets(accountId);
      return targets.map((row) => toTarget(row, account.email));
    },

    async create(accountId, input, origin) {
      const given = parseInput(noticeTargetInputSchema, withoutEmpty(input));
      const { type } = given;
      const kinds = [...new Set(given.kinds ?? noticeKinds)];
      const to = type === "email" ? parseInput(emailSchema, given.to, { root: "to" }) : given.to;
      if (type !== "email") expectUrl(context, "to", to);
      expectRoom((await readTargets(accountId)).targets, { type, to });
      const endpoint = type === "email" ? undefined : await createEndpoint(context, noticesOf(accountId), to);
      const row: NoticeTargetRow = { id: endpoint?.id ?? newId("ntg"), type, to, kinds, created_at: now() };
      try {
        await change(accountId, origin, (before) => {
          expectRoom(before, row);
          return { after: [...before, row], id: row.id, result: undefined };
        });
      } catch (error) {
        if (endpoint !== undefined) await removeEndpoint(context, noticesOf(accountId), endpoint.id);
        throw error;
      }
      // A chat does not check signatures.
      const secret = type === "webhook" && endpoint ? showSecret(signing, endpoint.signingSecret) : {};
      return { ...toTarget(row, ""), ...secret };
    },

    async update(accountId, id, input, origin) {
      const { kinds } = parseInput(noticeTargetChangesSchema, withoutEmpty(input));
      const { account } = await readTargets(accountId);
      return change(accountId, origin, (before) => {
        const changed = { ...expectTarget(before, id), kinds: [...new Set(kinds)] };
        const after = before.map((each) => (each.id === id ? changed : each));
        return { after, id, result: toTarget(changed, account.email) };
      });
    },

    async remove(accountId, id, origin) {
      await removeTarget(accountId, id, origin);
      return { id, deleted: true };
    },

    async test(accountId, id) {
      const { targets } = await readTargets(accountId);
      const { kinds } = expectTarget(targets, id);
      const mutation = toNoticeMutation(
        context,
        accountId,
        { kind: kinds[0] ?? "webhook.failing", message: "This is a test. Notices arrive here." },
        { only: id },
      );
      const notify = [keys.notices(accountId)];
      await store.commit(mutation.key[0], { mutations: [mutation], notify });
      return { id, sent: true };
    },

    async describeStop(token, client = {}) {
      const { account, target } = await openStop(token, client);
      return { account_name: account.name, to: target.to ?? account.email };
    },

    async stop(token, client = {}) {
      const { account, target, accountId, id } = await openStop(token, client);
      await removeTarget(accountId, id, linkOrigin);
      return { account_name: account.name, to: target.to ?? account.email };
    },
  };
}

const linkOrigin: ChangeOrigin = { actor: { kind: "link", id: null, name: null }, requestId: null };

function toTarget({ created_at: at, ...row }: NoticeTargetRow, email: string): NoticeTarget {
  const { id, type, to, kinds } = row;
  return { id, type, to: to ?? email, kinds: [...kinds], created_at: at === 0 ? null : toTimestamp(at) };
}

/** @throws HookwrightError `invalid_state` */
function expectRoom(
  targets: readonly NoticeTargetRow[],
  { type, to }: Pick<NoticeTargetRow, "type" | "to">,
): void {
  if (targets.some((each) => each.type === type && each.to === to))
    throw new HookwrightError("invalid_state", "to: it gets notices already. Change that target.");
  if (targets.length >= maximumTargets)
    throw new HookwrightError(
      "invalid_state",
      `The account has ${targets.length} targets of notices, which is the limit. Remove one first.`,
    );
}

/** @throws HookwrightError `resource_not_found` */
function expectTarget(targets: readonly NoticeTargetRow[], id: string): NoticeTargetRow {
  const found = targets.find((each) => each.id === id);
  if (found === undefined) throw noSuch("notice target");
  return found;
}
