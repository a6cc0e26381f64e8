import {
  HookwrightError,
  ownChangeSchema,
  parseInput,
  readOnlyMessage,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { OwnChange } from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import { findChanges } from "../audit/field-changes.ts";
import type { ServiceContext } from "../context.ts";
import { toFingerprint, toSessionMark, withNewPasswordMark } from "../rows/credential-rows.ts";
import type { SessionRow } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import { isActivePerson, parsePersonRow, toPerson } from "../rows/person-row.ts";
import type { ActivePerson, PersonRow } from "../rows/person-row.ts";
import { parseSessionEntry } from "../rows/session-entry.ts";
import type { ClientAddress, SessionCaller, SessionUseCases } from "../use-cases.ts";
import { toSessionListMutation, toSessionMutation } from "./open-session.ts";
import { findPassword, hashPassword } from "./password.ts";
import type { SignInLimits } from "./sign-in-limits.ts";

/** What people change of their own login. A wrong current password counts as a failed sign-in. */
export function createOwnLogin(
  context: ServiceContext,
  limits: Pick<SignInLimits, "run">,
): Pick<SessionUseCases, "changeOwn"> {
  const { store, now, passwordSalt, randomBytes } = context;

  async function readPerson(accountId: string, personId: string) {
    const text = await store.get(keys.person(accountId, personId));
    const row = text === undefined ? undefined : parsePersonRow(text);
    if (row === undefined || !isActivePerson(row))
      throw new HookwrightError("resource_not_found", "No such person.");
    return { text, row };
  }

  /** @returns the hash of the new password */
  async function hashChecked(
    { email, password }: ActivePerson,
    { current, new: next }: NonNullable<OwnChange["password"]>,
    client: ClientAddress,
  ): Promise<string> {
    const salt = passwordSalt(email);
    const hashed = await limits.run({ email, client }, async () =>
      (await findPassword(current, [password], salt)) === -1 ? undefined : hashPassword(next, salt),
    );
    if (hashed === undefined) throw wrongPassword();
    // Equal passwords of an address have equal hashes. An old password that is set again must not open its old sessions.
    return withNewPasswordMark(hashed, randomBytes);
  }

  /** The session of the caller goes on with the new password. Until then it is refused, like all others of the person. */
  async function keepSession(token: string, mark: string): Promise<void> {
    const key = keys.consoleSession(toFingerprint(token));
    const text = await store.get(key);
    if (text === undefined) return;
    const session: SessionRow = JSON.parse(text);
    await store.commit(key[0], {
      checks: [{ key, value: text }],
      mutations: [toSessionMutation(token, { ...session, mark })],
    });
  }

  return {
    async changeOwn(caller, input, { token, client = {}, origin }) {
      const { accountId } = caller;
      const { personId, sessionId } = expectOwnLogin(caller);
      const { name, timezone, password } = parseInput(ownChangeSchema, withoutEmpty(input));
      const { row: checked } = await readPerson(accountId, personId);
      const hashed = password && (await hashChecked(checked, password, client));
      const key = keys.person(accountId, personId);
      const entryKey = keys.sessionEntry(accountId, sessionId);
      const { row, mark } = await commitAudited(context, key[0], origin, async () => {
        const { text, row: before } = await readPerson(accountId, personId);
        if (hashed !== undefined && before.password !== checked.password) throw wrongPassword();
        const row: PersonRow = {
          ...before,
          name: name ?? before.name,
          timezone: timezone ?? before.timezone,
          password: hashed ?? before.password,
        };
        const changed = findChanges(before, row);
        if (changed.length === 0) return { result: { row, mark: undefined } };
        const [ended, entryText] = await store.getMany([keys.sessionsEnded(accountId), entryKey]);
        const mark = hashed === undefined ? undefined : toSessionMark(hashed, ended);
        return {
          commit: {
            checks: [
              { key, value: text },
              { key: entryKey, value: entryText },
            ],
            mutations: [
              { type: "set", key, value: JSON.stringify(row) },
              ...(mark === undefined || entryText === undefined
                ? []
                : [toSessionListMutation(accountId, { ...parseSessionEntry(entryText), mark })]),
            ],
          },
          result: { row, mark },
          audited: {
            action: "person.updated",
            accountId,
            target: { kind: "person", id: personId },
            changed,
          },
        };
      });
      if (mark !== undefined) await keepSession(token, mark);
      const lastSignIn = await store.get(keys.lastSignIn(accountId, personId));
      return toPerson(row, { now: now(), lastSignIn });
    },
  };
}

/** @throws HookwrightError `read_only_demo`, `invalid_state` */
function expectOwnLogin({ account, credential }: SessionCaller) {
  if (credential.type === "key") throw noOwnLogin();
  const { readOnly = false, personId, sessionId } = credential;
  if (account.demo || readOnly) throw new HookwrightError("read_only_demo", readOnlyMessage(account));
  if (personId === undefined || sessionId === undefined) throw noOwnLogin();
  return { personId, sessionId };
}

function noOwnLogin(): HookwrightError {
  return new HookwrightError(
    "invalid_state",
    "Only a person who was invited has a name, a time zone and a password to change here. For the login of the account and for the users of its links, the program that set them up changes them.",
  );
}

function wrongPassword(): HookwrightError {
  return validationFailed(["password.current: is wrong"]);
}
