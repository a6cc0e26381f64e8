import { HookwrightError, parseInput, signInSchema, withoutEmpty } from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { readAccount } from "../lookups/read-account.ts";
import { keepPasswordMark, toFingerprint, toSessionMark } from "../rows/credential-rows.ts";
import type { SessionRow } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import type { PersonRow } from "../rows/person-row.ts";
import type { ClientAddress, SessionUseCases } from "../use-cases.ts";
import { createSignInAudit } from "./audit-sign-ins.ts";
import { openSession } from "./open-session.ts";
import { createOwnLogin } from "./own-login.ts";
import { findPassword, hashPassword, isDerivedWith } from "./password.ts";
import { createInvitations } from "./invitations.ts";
import { createSessionLinks } from "./session-links.ts";
import { createSessionList } from "./session-list.ts";
import { createSignInIndex, findSignIns } from "./sign-in-index.ts";
import type { SignInCandidate, StaleSignIn } from "./sign-in-index.ts";
import { createSignInLimits } from "./sign-in-limits.ts";

/**
 * Sessions of the developer console (contract: The console). An e-mail address and a password give a token with an expiry time. Neither the
 * response nor its duration reveals whether an address is known.
 */
export function createSessions(context: ServiceContext): SessionUseCases {
  const { store, randomBytes, passwordSalt, onError } = context;
  const signIns = createSignInIndex(context);
  const limits = createSignInLimits(context);
  const { networks, queue } = limits;
  const audit = createSignInAudit(context);

  /** Finds the account with this address and password. */
  async function findAccount(
    email: string,
    password: string,
    client: ClientAddress,
  ): Promise<SignInCandidate | undefined> {
    return limits.run({ email, client }, async () => {
      const { candidates, stale } = await findSignIns(store, email);
      // The removal is faster than the derivation, so the duration does not reveal stale entries.
      const [found] = await Promise.all([matchPassword(email, password, candidates), removeStale(stale)]);
      if (found === undefined) audit.failed(candidates.map(({ row }) => row.id));
      return found;
    });
  }

  async function matchPassword(
    email: string,
    password: string,
    candidates: readonly SignInCandidate[],
  ): Promise<SignInCandidate | undefined> {
    const salt = passwordSalt(email);
    const hashes = candidates.map(({ passwordHash }) => passwordHash);
    const found = candidates[await findPassword(password, hashes, salt)];
    return found === undefined || isDerivedWith(found.passwordHash, salt)
      ? found
      : rehash(found, await hashPassword(password, salt));
  }

  /** Rehashes a password with the salt of its address. The address changed after the password was set, or an older version set it. */
  async function rehash(found: SignInCandidate, rehashed: string): Promise<SignInCandidate> {
    const { row, passwordHash, person } = found;
    const password = keepPasswordMark(rehashed, passwordHash);
    const key = person === undefined ? keys.accountPassword(row.id) : keys.person(row.id, person.row.id);
    const value =
      person === undefined ? password : JSON.stringify({ ...person.row, password } satisfies PersonRow);
    const { ok } = await store.commit(key[0], {
      checks: [{ key, value: person?.text ?? passwordHash }],
      mutations: [{ type: "set", key, value }],
    });
    // Otherwise another sign-in has rehashed it, or the password has changed. In the second case the mark makes the session invalid.
    return { ...found, passwordHash: ok ? password : passwordHash };
  }

  async function removeStale(stale: readonly StaleSignIn[]): Promise<void> {
    await Promise.all(
      stale.map((each) =>
        signIns
          .removeStale(each)
          .catch((error: unknown) => onError(error, { code: "sign_in_entry_not_removed" })),
      ),
    );
  }

  async function removeEntry({ account_id: accountId, id }: SessionRow): Promise<void> {
    if (id === undefined) return;
    const key = keys.sessionEntry(accountId, id);
    await store.commit(key[0], { mutations: [{ type: "delete", key }] });
  }

  return {
    async create(input, client = {}) {
      const { email, password, machine } = parseInput(signInSchema, withoutEmpty(input));
      const found = await findAccount(email, password, client);
      if (found === undefined) {
        throw new HookwrightError("invalid_credentials", "The e-mail address or the password is wrong.");
      }
      const { row, passwordHash, person } = found;
      const ended = await store.get(keys.sessionsEnded(row.id));
      return openSession(context, audit, {
        account: row,
        mark: toSessionMark(passwordHash, ended),
        client,
        person: person?.row,
        machine,
      });
    },

    ...createSessionLinks(context, networks, audit),
    ...createInvitations(context, { networks, queue, signIns, audit }),
    ...createSessionList(context),
    ...createOwnLogin(context, limits),

    async remove(token) {
      const key = keys.consoleSession(toFingerprint(token));
      const text = await store.get(key);
      await store.commit(key[0], { mutations: [{ type: "delete", key }], notify: [key] });
      if (text !== undefined) await removeEntry(JSON.parse(text));
      return { signed_out: true };
    },

    async removeAll(accountId, origin) {
      const key = keys.sessionsEnded(accountId);
      const value = Buffer.from(randomBytes(16)).toString("base64url");
      return commitAudited(context, key[0], origin, async () => {
        const account = await readAccount(store, accountId);
        return {
          commit: {
            checks: [{ key: keys.account(accountId), value: account }],
            mutations: [{ type: "set", key, value }],
            notify: [key],
          },
          result: { id: accountId, signed_out: true },
          audited: {
            action: "console_sessions.ended",
            accountId,
            target: { kind: "account", id: accountId },
          },
        };
      });
    },
  };
}
