import { findDeliveries } from "@hookwright/delivery";
import { HookwrightError, parseInput, shareInputSchema, toTimestamp, withoutEmpty } from "@hookwright/domain";
import type { Share, SharedDelivery } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { expectDelivery } from "../lookups/find-deliveries.ts";
import { noSuch } from "../lookups/no-such.ts";
import { mayDeliver, parseAccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import { parseShares, renderShares } from "../rows/share-row.ts";
import type { ShareRow } from "../rows/share-row.ts";
import { createLinkTokens } from "../secrets/link-tokens.ts";
import type { ServerKeys } from "../secrets/server-keys.ts";
import { createNetworkThrottle } from "../sign-in/network-throttle.ts";
import type { ShareUseCases } from "../use-cases.ts";
import { readBodies } from "./read-bodies.ts";
import { toSharedDelivery } from "./to-shared-delivery.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const maximumOfDelivery = 10;
const maximumOfAccount = 200;
/** What the token is authenticated with, so that no other sealed text is a token. */
const sealedFor = "shared delivery";

/** Where the token of a link leads. */
interface Target {
  readonly accountId: string;
  readonly deliveryId: string;
  readonly shareId: string;
}

/**
 * Read-only links to one delivery. A link needs its token and its row, which expires and can be removed.
 */
export function createShares(
  context: ServiceContext,
  serverKeys: Pick<ServerKeys, "box" | "seal">,
): ShareUseCases {
  const { store, now, newId } = context;
  const tokens = createLinkTokens(serverKeys, sealedFor);
  const networks = createNetworkThrottle({ now, counted: "links that show nothing" });

  function openToken(token: string): Target | undefined {
    const text = tokens.open(token);
    if (text === undefined) return undefined;
    const [accountId = "", deliveryId = "", shareId = ""] = text.split(" ");
    return { accountId, deliveryId, shareId };
  }

  const isLive = (row: ShareRow): boolean => now() < row.expires_at;

  async function readShared({ accountId, deliveryId, shareId }: Target): Promise<SharedDelivery | undefined> {
    const [account, shares] = await store.getMany([
      keys.account(accountId),
      keys.shares(accountId, deliveryId),
    ]);
    const share = parseShares(shares).find(({ id }) => id === shareId);
    if (share === undefined || !isLive(share)) return undefined;
    if (account === undefined || !mayDeliver(parseAccountRow(account))) return undefined;
    const [row] = await findDeliveries(store, accountId, [deliveryId]);
    if (row === undefined) return undefined;
    return toSharedDelivery(row, await readBodies(context, accountId, row), toTimestamp(share.expires_at));
  }

  /** The row of a link, and the other links in it. Links that were created at once may be more than the limit of the account. */
  async function findShare(accountId: string, shareId: string) {
    for await (const page of listPages(store, { prefix: keys.sharesOf(accountId) }))
      for (const entry of page) {
        const live = parseShares(entry.value).filter(isLive);
        const rest = live.filter(({ id }) => id !== shareId);
        if (rest.length < live.length) return { ...entry, rest };
      }
    throw noSuch("link");
  }

  return {
    async create(accountId, deliveryId, input, { basePath = "", origin } = {}) {
      const { days } = parseInput(shareInputSchema, withoutEmpty(input));
      await expectDelivery(store, accountId, deliveryId);
      const key = keys.shares(accountId, deliveryId);
      const id = newId("shr");
      const row = await commitAudited(context, key[0], origin, async () => {
        const [entries, text] = await Promise.all([
          store.list({ prefix: keys.sharesOf(accountId), limit: maximumOfAccount }),
          store.get(key),
        ]);
        const live = parseShares(text).filter(isLive);
        const all = entries.flatMap(({ value }) => parseShares(value).filter(isLive));
        if (live.length >= maximumOfDelivery) throw tooMany(`The delivery has ${live.length} links`);
        if (all.length >= maximumOfAccount) throw tooMany(`The account has ${all.length} links`);
        const created: ShareRow = { id, created_at: now(), expires_at: now() + days * dayMs };
        return {
          commit: { checks: [{ key, value: text }], mutations: [write(key, [...live, created])] },
          result: created,
          audited: toAudited("delivery.shared", accountId, deliveryId),
        };
      });
      const token = await tokens.seal([accountId, deliveryId, id].join(" "));
      const url = `${basePath}/console#/shared/${token}`;
      return { id, url, expires_at: toTimestamp(row.expires_at) };
    },

    async list(accountId, deliveryId) {
      await expectDelivery(store, accountId, deliveryId);
      const text = await store.get(keys.shares(accountId, deliveryId));
      return parseShares(text).filter(isLive).map(toShare).toReversed();
    },

    async remove(accountId, shareId, origin) {
      await commitAudited(context, keys.sharesOf(accountId)[0], origin, async () => {
        const { key, value, rest } = await findShare(accountId, shareId);
        const mutation: Mutation = rest.length === 0 ? { type: "delete", key } : write(key, rest);
        return {
          commit: { checks: [{ key, value }], mutations: [mutation] },
          result: undefined,
          audited: toAudited("delivery.share_revoked", accountId, String(key.at(-1))),
        };
      });
      return { id: shareId, deleted: true };
    },

    async open(token, client = {}) {
      const target = openToken(token);
      const shared = target && (await readShared(target));
      if (shared !== undefined) return shared;
      networks.take(client);
      throw new HookwrightError(
        "resource_not_found",
        "The link shows nothing: it is wrong, has expired or was revoked. Ask for another one.",
      );
    },
  };
}

function toShare({ id, created_at: createdAt, expires_at: expiresAt }: ShareRow): Share {
  return { id, created_at: toTimestamp(createdAt), expires_at: toTimestamp(expiresAt) };
}

function toAudited(action: "delivery.shared" | "delivery.share_revoked", accountId: string, id: string) {
  return { action, accountId, target: { kind: "delivery", id } } as const;
}

function write(key: ReturnType<typeof keys.shares>, shares: readonly ShareRow[]): Mutation {
  const expiresAt = Math.max(...shares.map((share) => share.expires_at));
  return { type: "set", key, value: renderShares(shares), expiresAt };
}

function tooMany(what: string): HookwrightError {
  return new HookwrightError("invalid_state", `${what}, which is the limit. Revoke one first.`);
}
