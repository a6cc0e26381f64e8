import {
  consoleLinkInputSchema,
  HookwrightError,
  linkCodeSchema,
  parseInput,
  toTimestamp,
  withoutEmpty,
} from "@hookwright/domain";
import type { Role, SessionPerson } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { commitAuditEntry } from "../audit/commit-audited.ts";
import { toChange } from "../audit/field-changes.ts";
import type { ServiceContext } from "../context.ts";
import { readAccount, readMarkedAccount } from "../lookups/read-account.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { createCredential, toFingerprint } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import type { SessionUseCases } from "../use-cases.ts";
import type { SignInAudit } from "./audit-sign-ins.ts";
import { toClientNetwork } from "./client-network.ts";
import type { NetworkThrottle } from "./network-throttle.ts";
import { openSession } from "./open-session.ts";

/** A stored link. Its key is the fingerprint of its code. `expires_at` is in milliseconds since the epoch. */
interface LinkRow {
  readonly account_id: string;
  readonly read_only: boolean;
  /** The `toSessionMark` of the account when the link was created. The link becomes invalid when the mark changes. */
  readonly mark: string;
  readonly expires_at: number;
  /** The name of the host token that created it. */
  readonly created_by?: string | null;
  /** The user of the host who gets the link. */
  readonly person?: SessionPerson | undefined;
  readonly role?: Role | undefined;
  readonly path?: string | undefined;
  readonly reason?: string | undefined;
}

/** The API masks texts with this prefix in its logs. */
const codePrefix = "hwl_";
const defaultTtlSeconds = 300;

/**
 * One-time links with which a host opens the console for its own users. The code is behind the `#` of
 * the link, so it reaches no server log. Only its fingerprint is stored.
 */
export function createSessionLinks(
  context: ServiceContext,
  networks: NetworkThrottle,
  audit: Pick<SignInAudit, "succeeded">,
): Pick<SessionUseCases, "createLink" | "exchangeLink"> {
  const { store, now, randomBytes } = context;

  /** The link of a code. Of concurrent calls with one code, only one gets it. */
  async function takeLink(code: string): Promise<LinkRow | undefined> {
    const key = keys.consoleLink(toFingerprint(code));
    const text = await store.get(key);
    if (text === undefined) return undefined;
    const { ok } = await store.commit(key[0], {
      checks: [{ key, value: text }],
      mutations: [{ type: "delete", key }],
    });
    const row: LinkRow = JSON.parse(text);
    return ok && now() < row.expires_at ? row : undefined;
  }

  return {
    async createLink(accountId, input, { basePath = "", origin } = {}) {
      const {
        read_only: readOnly = false,
        ttl_seconds: ttlSeconds = defaultTtlSeconds,
        ...named
      } = parseInput(consoleLinkInputSchema, withoutEmpty(input ?? {}));
      await readAccount(store, accountId);
      const { mark = "" } = await readMarkedAccount(store, accountId, { role: named.role });
      const code = createCredential(codePrefix, randomBytes);
      const expiresAt = now() + ttlSeconds * 1_000;
      const row: LinkRow = {
        account_id: accountId,
        read_only: readOnly,
        mark,
        expires_at: expiresAt,
        created_by: origin?.actor.name ?? null,
        ...named,
      };
      const key = keys.consoleLink(toFingerprint(code));
      // Before the link, which is in another partition: no link without an entry.
      await commitAuditEntry(context, partitionOf(accountId), origin, {
        action: "console_link.created",
        accountId,
        target:
          named.person === undefined
            ? { kind: "account", id: accountId }
            : { kind: "person", id: named.person.id },
        changed: Object.entries({ read_only: readOnly, ...named, person: undefined })
          .filter(([, value]) => value !== undefined)
          .map(([field, value]) => toChange(field, undefined, value)),
      });
      await store.commit(key[0], {
        mutations: [{ type: "set", key, value: JSON.stringify(row), expiresAt }],
      });
      return { url: `${basePath}/console#/link/${code}`, expires_at: toTimestamp(expiresAt) };
    },

    async exchangeLink(input, client = {}) {
      const { code } = parseInput(linkCodeSchema, withoutEmpty(input));
      const uncount = networks.take(client);
      try {
        const link = await takeLink(code);
        if (link !== undefined) {
          const { accountText, mark } = await readMarkedAccount(store, link.account_id, {
            role: link.role,
          });
          if (accountText !== undefined && mark === link.mark) {
            const { read_only: readOnly, person: guest, role, path = null, reason = null } = link;
            const session = await openSession(context, audit, {
              account: parseAccountRow(accountText),
              mark,
              client,
              readOnly,
              link: { createdBy: link.created_by ?? null },
              guest,
              role,
            });
            uncount();
            return { ...session, read_only: readOnly, path, reason };
          }
        }
      } catch (error) {
        // The store failed, which is not a wrong code.
        uncount();
        throw error;
      }
      const network = toClientNetwork(client.clientAddress);
      context.onFailedAuthentication?.({ credential: "console_link", network });
      throw new HookwrightError(
        "invalid_credentials",
        "The link was already used or has expired. Open the console again from the page that had the link.",
      );
    },
  };
}
