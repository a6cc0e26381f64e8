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
import { endsWithin } from "@hookwright/delivery";
import type { Clock } from "@hookwright/delivery";
import type { NoticeTarget } from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import { findChanges } from "../audit/field-changes.ts";
import type { ServiceContext } from "../context.ts";
import { noSuch } from "../lookups/no-such.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { keys, noticesOf } from "../rows/keys.ts";
import { toNoticeMutation } from "../rows/notice-row.ts";
import { parseAllNoticeTargets } from "../rows/notice-targets-row.ts";
import type { NoticeTargetRow } from "../rows/notice-targets-row.ts";
import { createLinkTokens } from "../secrets/link-tokens.ts";
import type { ServerKeys } from "../secrets/server-keys.ts";
import { showSecret } from "../secrets/signing.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { createNetworkThrottle } from "../sign-in/network-throttle.ts";
import type { ChangeOrigin, NoticeTargetUseCases } from "../use-cases.ts";
import { createEndpoint, expectUrl, listEndpointIds, removeEndpoint } from "./notice-webhooks.ts";
import { countConfirmation, mailPeriodMs } from "./mail-limit.ts";
import { toConfirmationMail } from "./notice-mail.ts";
import type { Mailer } from "./notice-mail.ts";

const maximumTargets = 20;
/** What the token of a link is authenticated with. */
export const stopsNotices = "stop notices";
const confirmsAddress = "confirm notices";
/** How long a request waits for the mail server. */
const confirmationMs = 10_000;

export interface NoticeTargetOptions {
  readonly serverKeys: Pick<ServerKeys, "box" | "seal">;
  readonly clock: Clock;
  /** Sends the links that confirm addresses. @default only the address of the account can get mails */
  readonly mailer?: Mailer | undefined;
  /** The URL of the console, for those links. @default only the address of the account can get mails */
  readonly consoleUrl?: string | undefined;
}

/** Whom an account wants to be told. */
export function createNoticeTargets(
  context: ServiceContext,
  { serverKeys, clock, mailer, consoleUrl }: NoticeTargetOptions,
): NoticeTargetUseCases {
  const { store, now, newId, signing, onError } = context;
  const stops = createLinkTokens(serverKeys, stopsNotices);
  const confirmations = createLinkTokens(serverKeys, confirmsAddress);
  const networks = createNetworkThrottle({ now, counted: "wrong links of mails" });

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
      const before = parseAllNoticeTargets(text);
      const { after, id, result } = apply(before);
      const find = (rows: readonly NoticeTargetRow[]): object => {
        const row = rows.find((each) => each.id === id);
        return row === undefined ? {} : toRecorded(row);
      };
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
          changed: findChanges(find(before), find(after)),
        },
      };
    });
  }

  async function readTargets(accountId: string) {
    const found = await readIfPresent(accountId);
    if (found === undefined) throw noSuch("account");
    return found;
  }

  /** Undefined: the account was deleted. */
  async function readIfPresent(accountId: string) {
    const [account, text] = await store.getMany([keys.account(accountId), keys.noticeTargets(accountId)]);
    return account === undefined
      ? undefined
      : { account: parseAccountRow(account), targets: parseAllNoticeTargets(text) };
  }

  async function removeTarget(accountId: string, id: string, origin?: ChangeOrigin): Promise<void> {
    const { targets } = await readTargets(accountId);
    // First, so that a removal that is cut off can be repeated.
    if (expectTarget(targets, id).type !== "email") await removeEndpoint(context, noticesOf(accountId), id);
    await change(accountId, origin, (before) => {
      expectTarget(before, id);
      return { after: before.filter((each) => each.id !== id), id, result: undefined };
    });
  }

  /** Targets as the API shows them. */
  async function show(accountId: string, rows: readonly NoticeTargetRow[], email: string) {
    const hasEndpoints = rows.some(({ type }) => type !== "email");
    const endpoints = hasEndpoints ? await listEndpointIds(store, noticesOf(accountId)) : new Set<string>();
    return rows.map((row) => toTarget(row, email, endpoints));
  }

  /** The target that a link leads to. */
  async function openLink(
    links: typeof stops,
    token: string,
    client: Parameters<typeof networks.take>[0] = {},
  ) {
    const [accountId = "", id = ""] = links.open(token)?.split(" ") ?? [];
    const found = accountId === "" ? undefined : await readIfPresent(accountId);
    const target = found?.targets.find((each) => each.id === id);
    if (found !== undefined && target !== undefined) {
      const shown = { account_name: found.account.name, to: target.to ?? found.account.email };
      return { accountId, id, target, shown };
    }
    networks.take(client);
    throw new HookwrightError(
      "resource_not_found",
      "The link is wrong, or the address was removed from these mails before.",
    );
  }

  /** @throws HookwrightError `invalid_state` if no mail may ask for a confirmation now */
  async function expectConfirmation(accountId: string, to: string): Promise<void> {
    if (mailer === undefined || consoleUrl === undefined)
      throw new HookwrightError(
        "invalid_state",
        "to: only the address of the account can get mails here, because this server has no public URL for the link that confirms another one.",
      );
    const key = keys.confirmationCount(accountId);
    await commitUntilDone(store, key[0], async () => {
      const text = await store.get(key);
      const value = countConfirmation(text, to, now());
      if (value === undefined)
        throw new HookwrightError(
          "invalid_state",
          "to: no more addresses can be confirmed now. At most 10 mails of an account ask for that in 24 hours, and 3 to one address, those that were removed included.",
        );
      const expiresAt = now() + mailPeriodMs;
      return {
        commit: {
          checks: [{ key, value: text }],
          mutations: [{ type: "set", key, value, expiresAt }],
        },
        result: undefined,
      };
    });
  }

  /** An error is only logged: the mail can be sent again. */
  async function askForConfirmation(accountId: string, id: string, to: string): Promise<void> {
    const token = await confirmations.seal(`${accountId} ${id}`);
    const send = async () => mailer?.send(toConfirmationMail(to, `${consoleUrl}#/confirm/${token}`));
    let error: unknown = new Error(`no answer within ${confirmationMs} ms`);
    const onFault = (thrown: unknown): void => void (error = thrown);
    if (await endsWithin(send(), { clock, ms: confirmationMs, onFault })) return;
    onError(error, { account_id: accountId, code: "confirmation_not_sent" });
  }

  return {
    async list(accountId) {
      const { account, targets } = await readTargets(accountId);
      return show(accountId, targets, account.email);
    },

    async create(accountId, input, origin) {
      const given = parseInput(noticeTargetInputSchema, withoutEmpty(input));
      const { type } = given;
      const kinds = [...new Set(given.kinds ?? noticeKinds)];
      const to = type === "email" ? parseInput(emailSchema, given.to, { root: "to" }) : given.to;
      if (type !== "email") expectUrl(context, "to", to);
      const { account, targets } = await readTargets(accountId);
      const { email } = account;
      expectRoom(targets, { type, to }, email);
      const isNew = type === "email" && to !== email;
      if (isNew) await expectConfirmation(accountId, to);
      const endpoint = type === "email" ? undefined : await createEndpoint(context, noticesOf(accountId), to);
      const id = endpoint?.id ?? newId("ntg");
      const unconfirmed = isNew ? ({ unconfirmed: true } as const) : {};
      const row: NoticeTargetRow = { id, type, to, kinds, created_at: now(), ...unconfirmed };
      try {
        await change(accountId, origin, (before) => {
          expectRoom(before, { type, to }, email);
          return { after: [...before, row], id, result: undefined };
        });
      } catch (error) {
        if (endpoint !== undefined) await removeEndpoint(context, noticesOf(accountId), endpoint.id);
        throw error;
      }
      if (isNew) await askForConfirmation(accountId, id, to);
      // A chat does not check signatures.
      const secret = type === "webhook" && endpoint ? showSecret(signing, endpoint.signingSecret) : {};
      return { ...toTarget(row, "", new Set([id])), ...secret };
    },

    async update(accountId, id, input, origin) {
      const { kinds } = parseInput(noticeTargetChangesSchema, withoutEmpty(input));
      const { account } = await readTargets(accountId);
      const row = await change(accountId, origin, (before) => {
        const changed = { ...expectTarget(before, id), kinds: [...new Set(kinds)] };
        const after = before.map((each) => (each.id === id ? changed : each));
        return { after, id, result: changed };
      });
      const [target] = await show(accountId, [row], account.email);
      if (target === undefined) throw noSuch("notice target");
      return target;
    },

    async remove(accountId, id, origin) {
      await removeTarget(accountId, id, origin);
      return { id, deleted: true };
    },

    async test(accountId, id) {
      const { targets } = await readTargets(accountId);
      const { kinds, type, unconfirmed } = expectTarget(targets, id);
      if (type !== "email" && !(await listEndpointIds(store, noticesOf(accountId))).has(id))
        throw new HookwrightError(
          "invalid_state",
          "The URL answered 410, so it gets no more notices. Remove it, and add it again.",
        );
      if (unconfirmed === true)
        throw new HookwrightError(
          "invalid_state",
          "Nobody has confirmed the address yet. The mail to it has a link; send it again if it was lost.",
        );
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

    async resendConfirmation(accountId, id) {
      const { targets } = await readTargets(accountId);
      const { to, unconfirmed } = expectTarget(targets, id);
      if (to === null || unconfirmed !== true)
        throw new HookwrightError("invalid_state", "It needs no confirmation.");
      await expectConfirmation(accountId, to);
      await askForConfirmation(accountId, id, to);
      return { id, sent: true };
    },

    describeConfirmation: async (token, client) => (await openLink(confirmations, token, client)).shown,

    async confirm(token, client) {
      const { accountId, id, target, shown } = await openLink(confirmations, token, client);
      if (target.unconfirmed !== true) return shown;
      await change(accountId, linkOrigin, (before) => {
        const { unconfirmed: _, ...confirmed } = expectTarget(before, id);
        const after = before.map((each) => (each.id === id ? confirmed : each));
        return { after, id, result: undefined };
      });
      return shown;
    },

    describeStop: async (token, client) => (await openLink(stops, token, client)).shown,

    async stop(token, client) {
      const { accountId, id, shown } = await openLink(stops, token, client);
      await removeTarget(accountId, id, linkOrigin);
      return shown;
    },
  };
}

const linkOrigin: ChangeOrigin = { actor: { kind: "link", id: null, name: null }, requestId: null };

function toTarget(
  { created_at: at, ...row }: NoticeTargetRow,
  email: string,
  endpoints: ReadonlySet<string>,
): NoticeTarget {
  const { id, type, to, kinds, unconfirmed } = row;
  const isGone = type !== "email" && !endpoints.has(id);
  return {
    id,
    type,
    to: to ?? email,
    kinds: [...kinds],
    status: isGone ? "removed" : unconfirmed === true ? "unconfirmed" : "active",
    created_at: at === 0 ? null : toTimestamp(at),
  };
}

/** What the audit log has of a target. An address is personal, and the path of a URL may be a secret. */
function toRecorded({ type, to, kinds, unconfirmed }: NoticeTargetRow): object {
  return {
    type,
    kinds,
    status: unconfirmed === true ? "unconfirmed" : "active",
    ...(type === "email" || to === null ? {} : { target_host: new URL(to).host }),
  };
}

/** @throws HookwrightError `invalid_state` */
function expectRoom(
  targets: readonly NoticeTargetRow[],
  { type, to }: Pick<NoticeTargetRow, "type" | "to">,
  email: string,
): void {
  if (targets.some((each) => each.type === type && (each.to ?? email) === to))
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
