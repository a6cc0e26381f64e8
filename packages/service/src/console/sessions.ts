import {
  HookwrightError,
  isHookwrightError,
  parseInput,
  signInSchema,
  toTimestamp,
  withoutEmpty,
} from "@hookwright/domain";
import { hashOfNobody, verifyPassword } from "../accounts/password.ts";
import { createSignInIndex } from "../accounts/sign-in-index.ts";
import type { StaleSignIn } from "../accounts/sign-in-index.ts";
import type { ServiceContext } from "../context.ts";
import { toAccount } from "../rows/account-row.ts";
import { toFingerprint } from "../rows/fingerprint.ts";
import { keys } from "../rows/keys.ts";
import { consoleTokenPrefix, keepExpiredMs, renderSession, toPasswordMark } from "../rows/session-row.ts";
import type { SessionUseCases } from "../use-cases.ts";
import { findSignIns } from "./find-sign-ins.ts";
import type { SignInCandidate } from "./find-sign-ins.ts";
import { createPeerThrottle } from "./peer-throttle.ts";
import { createSignInThrottle } from "./sign-in-throttle.ts";
import { createTurnstile } from "./turnstile.ts";

const tokenBytes = 32;
/** A derivation takes a thread of Node's pool for a tenth of a second, and 32 MiB; looking up names needs those threads. */
const derivationsAtOnce = 1;
const maximumWaiting = 32;

/**
 * Sessions of the developer console (contract §7): an e-mail address and a password against a token that lives for a
 * while. Whether an address is known can be told neither from the answer nor from the time it takes.
 */
export function createSessions(context: ServiceContext): SessionUseCases {
  const { store, now, randomBytes, consoleTokenSeconds, onError } = context;
  const signIns = createSignInIndex(context);
  const throttle = createSignInThrottle({ store, now });
  const peers = createPeerThrottle({ now });
  const turnstile = createTurnstile({ atOnce: derivationsAtOnce, maximumWaiting });
  /** Tries of this process whose password is not judged yet, by address. */
  const underWay = new Map<string, number>();
  const nobodys = hashOfNobody();

  /** The account of this address whose password this is. */
  async function findAccount(email: string, password: string): Promise<SignInCandidate | undefined> {
    const { candidates, stale } = await findSignIns(store, email);
    // Beside the derivation, which takes longer: that an address was somebody's shows in no time of its own.
    const [found] = await Promise.all([matchPassword(candidates, password), removeStale(stale)]);
    return found;
  }

  async function matchPassword(
    candidates: readonly SignInCandidate[],
    password: string,
  ): Promise<SignInCandidate | undefined> {
    if (candidates.length === 0) await verifyPassword(password, nobodys);
    for (const candidate of candidates) {
      if (await verifyPassword(password, candidate.passwordHash)) return candidate;
    }
    return undefined;
  }

  async function removeStale(stale: readonly StaleSignIn[]): Promise<void> {
    for (const each of stale)
      await signIns
        .removeStale(each)
        .catch((error: unknown) => onError(error, { code: "sign_in_entry_not_removed" }));
  }

  /** Has its place ahead of the count: nobody's tries are used up by others who fill the room. */
  function tryPassword(email: string, password: string): ReturnType<typeof findAccount> {
    return turnstile.admit(async (pass) => {
      const isTaken = await takeTry(email);
      underWay.set(email, (underWay.get(email) ?? 0) + 1);
      try {
        return await pass(async () => {
          if (!isTaken) await throttle.take(email);
          const found = await findAccount(email, password);
          if (found !== undefined) await throttle.clear(email);
          return found;
        });
      } finally {
        const left = (underWay.get(email) ?? 1) - 1;
        if (left === 0) underWay.delete(email);
        else underWay.set(email, left);
      }
    });
  }

  /** False where all tries are taken, by some that are still under way: one of those may be right, and make room. */
  async function takeTry(email: string): Promise<boolean> {
    try {
      await throttle.take(email);
      return true;
    } catch (error) {
      if (isHookwrightError(error) && error.code === "rate_limited" && underWay.has(email)) return false;
      throw error;
    }
  }

  return {
    async create(input, { peerAddress } = {}) {
      const { email, password } = parseInput(signInSchema, withoutEmpty(input));
      // Ahead of the address's own count: whoever is kept out here must not use up somebody else's tries.
      const forgive = peers.take(peerAddress);
      const found = await tryPassword(email, password).catch((error: unknown) => {
        // It was no wrong password: refused for the address's sake, or for want of room, or the store was away.
        forgive();
        throw error;
      });
      if (found === undefined) {
        throw new HookwrightError("invalid_credentials", "The e-mail address or the password is wrong.");
      }
      forgive();
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
