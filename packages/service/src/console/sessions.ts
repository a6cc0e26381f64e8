import { HookwrightError, parseInput, signInSchema, toTimestamp, withoutEmpty } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { parseAccountRow, toAccount } from "../accounts/account-row.ts";
import type { AccountRow } from "../accounts/account-row.ts";
import { toFingerprint } from "../accounts/api-keys.ts";
import { hashPassword, verifyPassword } from "../accounts/password.ts";
import { keys } from "../store/keys.ts";
import type { SessionUseCases } from "../use-cases.ts";
import { createSignInThrottle } from "./sign-in-throttle.ts";
import { createTurnstile } from "./turnstile.ts";
import { consoleTokenPrefix, keepExpiredMs, renderSession, toPasswordMark } from "./session-row.ts";

const tokenBytes = 32;
/** Accounts with one and the same address: each costs a derivation. */
const maximumCandidates = 8;
/** A derivation takes a thread of Node's pool for a tenth of a second, and 32 MiB; looking up names needs those threads. */
const derivationsAtOnce = 1;
const maximumWaiting = 32;

/**
 * Sessions of the developer console (contract §7): an e-mail address and a password against a token that lives for a
 * while. Whether an address is known can be told neither from the answer nor from the time it takes.
 */
export function createSessions(context: ServiceContext): SessionUseCases {
  const { store, now, randomBytes, consoleTokenSeconds } = context;
  const throttle = createSignInThrottle({ store, now });
  const turnstile = createTurnstile({ atOnce: derivationsAtOnce, maximumWaiting });
  let dummy: Promise<string> | undefined;

  /** The account of this address whose password this is. */
  async function findAccount(
    email: string,
    password: string,
  ): Promise<{ readonly row: AccountRow; readonly passwordHash: string } | undefined> {
    const entries = await store.list({ prefix: keys.accountsOfEmail(email), limit: maximumCandidates });
    const candidates = await Promise.all(
      entries.map(async ({ key }) => {
        const accountId = String(key.at(-1));
        const [accountText, passwordHash] = await store.getMany([
          keys.account(accountId),
          keys.accountPassword(accountId),
        ]);
        return accountText === undefined || passwordHash === undefined
          ? undefined
          : { row: parseAccountRow(accountText), passwordHash };
      }),
    );
    // An entry stays behind when an account's address changes: the account's own row decides.
    const present = candidates.filter((candidate) => candidate?.row.email === email);
    if (present.length === 0) await verifyPassword(password, await (dummy ??= hashPassword("nobody's")));
    for (const candidate of present) {
      if (candidate !== undefined && (await verifyPassword(password, candidate.passwordHash)))
        return candidate;
    }
    return undefined;
  }

  return {
    async create(input) {
      const { email, password } = parseInput(signInSchema, withoutEmpty(input));
      await throttle.take(email);
      const found = await turnstile.pass(() => findAccount(email, password));
      if (found === undefined) {
        throw new HookwrightError("invalid_credentials", "The e-mail address or the password is wrong.");
      }
      await throttle.clear(email);
      const token = `${consoleTokenPrefix}${Buffer.from(randomBytes(tokenBytes)).toString("base64url")}`;
      const expiresAt = now() + consoleTokenSeconds * 1_000;
      const key = keys.consoleSession(toFingerprint(token));
      const value = renderSession({
        account_id: found.row.id,
        password_mark: toPasswordMark(found.passwordHash),
        expires_at: expiresAt,
      });
      await store.commit(key[0], {
        mutations: [{ type: "set", key, value, expiresAt: expiresAt + keepExpiredMs }],
      });
      const { status: _, ...account } = toAccount(found.row);
      return { token, expires_at: toTimestamp(expiresAt), account };
    },

    async remove(token) {
      const key = keys.consoleSession(toFingerprint(token));
      await store.commit(key[0], { mutations: [{ type: "delete", key }] });
      return { signed_out: true };
    },
  };
}
