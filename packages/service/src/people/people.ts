import {
  accountLoginId,
  HookwrightError,
  maximumPeople,
  parseInput,
  personChangeSchema,
  personInputSchema,
  toTimestamp,
  withoutEmpty,
} from "@hookwright/domain";
import type { AuditAction, Person } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { commitAudited } from "../audit/commit-audited.ts";
import { toChange } from "../audit/field-changes.ts";
import type { ChangedField } from "../audit/field-changes.ts";
import type { ServiceContext } from "../context.ts";
import { readAccount } from "../lookups/read-account.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { createCredential, createMark, toFingerprint } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import { invitationLifetimeMs, isActivePerson, toPerson } from "../rows/person-row.ts";
import type { InvitationRow, PersonRow } from "../rows/person-row.ts";
import { parseSessionEntry } from "../rows/session-entry.ts";
import type { SessionEntry } from "../rows/session-entry.ts";
import { toTimestampOrNull } from "../rows/to-timestamp-or-null.ts";
import { createSignInIndex } from "../sign-in/sign-in-index.ts";
import { invitationPrefix } from "../sign-in/invitations.ts";
import type { PeopleUseCases } from "../use-cases.ts";
import { readPeople } from "../lookups/read-people.ts";

const pageSize = 500;

/** The people who have the console of an account, besides its login, which is always an owner. */
export function createPeople(context: ServiceContext): PeopleUseCases {
  const { store, now, newId, randomBytes, onError } = context;
  const signIns = createSignInIndex(context);

  /** Reads what a change of one person needs. */
  async function readFor(accountId: string, personId: string) {
    if (personId === accountLoginId)
      throw new HookwrightError(
        "invalid_state",
        "The login of the account is always an owner: it cannot be removed and keeps its role.",
      );
    const { people, check, renew } = await readPeople(store, accountId);
    const found = people.find(({ row }) => row.id === personId);
    if (found === undefined) throw new HookwrightError("resource_not_found", "No such person.");
    return { check, renew: renew(createMark(randomBytes)), found };
  }

  /** Removes what leads to somebody who was removed. It gives no access. If this fails, it expires or the next sign-in removes it. */
  async function removeLeftOver(accountId: string, { id, email, invitation }: PersonRow): Promise<void> {
    try {
      if (invitation !== null) {
        const key = keys.invitation(invitation.fingerprint);
        await store.commit(key[0], { mutations: [{ type: "delete", key }] });
      }
      await signIns.removePerson({ accountId, personId: id, email });
      for await (const page of listPages(store, { prefix: keys.sessionEntries(accountId), pageSize })) {
        const own = page.filter(({ value }) => isSessionOf(id, parseSessionEntry(value)));
        if (own.length > 0)
          await store.commit(partitionOf(accountId), {
            mutations: own.map(({ key }) => ({ type: "delete", key })),
          });
      }
    } catch (error) {
      onError(error, { account_id: accountId, code: "sign_in_entry_not_removed" });
    }
  }

  const toAudited = (action: AuditAction, accountId: string, id: string, changed: readonly ChangedField[]) =>
    ({ action, accountId, target: { kind: "person", id }, changed }) as const;

  return {
    async list(accountId) {
      const [accountText, { people }] = await Promise.all([
        readAccount(store, accountId),
        readPeople(store, accountId),
      ]);
      const ids = [accountLoginId, ...people.map(({ row }) => row.id)];
      const [ofLogin, ...lastSignIns] = await store.getMany(ids.map((id) => keys.lastSignIn(accountId, id)));
      const { name, email, timezone, created_at: createdAt } = parseAccountRow(accountText);
      const login: Person = {
        id: accountLoginId,
        email,
        name,
        role: "owner",
        status: "active",
        timezone,
        created_at: toTimestamp(createdAt),
        expires_at: null,
        last_sign_in_at: toTimestampOrNull(ofLogin === undefined ? null : Number(ofLogin)),
      };
      const at = now();
      const others = people.map(({ row }, index) =>
        toPerson(row, { now: at, lastSignIn: lastSignIns[index] }),
      );
      return [...others.toReversed(), login];
    },

    async invite(accountId, input, { basePath = "", origin } = {}) {
      const { email, role } = parseInput(personInputSchema, withoutEmpty(input));
      await readAccount(store, accountId);
      const token = createCredential(invitationPrefix, randomBytes);
      const fingerprint = toFingerprint(token);
      const id = newId("prs");
      const expiresAt = now() + invitationLifetimeMs;
      const row: PersonRow = {
        id,
        email,
        name: null,
        role,
        timezone: null,
        created_at: now(),
        invitation: { fingerprint, expires_at: expiresAt },
        password: null,
      };
      const key = keys.person(accountId, id);
      const replaced = await commitAudited(context, key[0], origin, async () => {
        const { people, check, renew } = await readPeople(store, accountId);
        const same = people.find((other) => other.row.email === email);
        if (same !== undefined && isActivePerson(same.row))
          throw new HookwrightError(
            "invalid_state",
            "Somebody with this e-mail address is already in the list.",
          );
        if (same === undefined && people.length >= maximumPeople)
          throw new HookwrightError(
            "invalid_state",
            `The account has ${people.length} people and invitations, which is the limit. Remove one first.`,
          );
        return {
          commit: {
            checks: [check],
            mutations: [
              renew(createMark(randomBytes)),
              { type: "set", key, value: JSON.stringify(row) },
              // The new invitation replaces it.
              ...(same === undefined
                ? []
                : [{ type: "delete", key: keys.person(accountId, same.row.id) } as const]),
            ],
          },
          result: same?.row,
          audited: toAudited("person.invited", accountId, id, [
            toChange("email", undefined, email),
            toChange("role", undefined, role),
          ]),
        };
      });
      if (replaced !== undefined) await removeLeftOver(accountId, replaced);
      // After the row, which the limit counts. Without it the invitation leads to nothing, and the answer is an error.
      const invitation: InvitationRow = { account_id: accountId, person_id: id };
      const invitationKey = keys.invitation(fingerprint);
      await store.commit(invitationKey[0], {
        mutations: [{ type: "set", key: invitationKey, value: JSON.stringify(invitation), expiresAt }],
      });
      const url = `${basePath}/console#/invitation/${token}`;
      return { id, email, role, status: "invited", url, expires_at: toTimestamp(expiresAt) };
    },

    async change(accountId, personId, input, origin) {
      const { role } = parseInput(personChangeSchema, withoutEmpty(input));
      const key = keys.person(accountId, personId);
      const row = await commitAudited(context, key[0], origin, async () => {
        const { check, renew, found } = await readFor(accountId, personId);
        const changed: PersonRow = { ...found.row, role };
        if (role === found.row.role) return { result: changed };
        return {
          commit: {
            checks: [check, { key, value: found.text }],
            mutations: [renew, { type: "set", key, value: JSON.stringify(changed) }],
            notify: [key],
          },
          result: changed,
          audited: toAudited("person.updated", accountId, personId, [toChange("role", found.row.role, role)]),
        };
      });
      const lastSignIn = await store.get(keys.lastSignIn(accountId, personId));
      return toPerson(row, { now: now(), lastSignIn });
    },

    async remove(accountId, personId, origin) {
      const key = keys.person(accountId, personId);
      const removed = await commitAudited(context, key[0], origin, async () => {
        const { check, renew, found } = await readFor(accountId, personId);
        return {
          commit: {
            checks: [check, { key, value: found.text }],
            mutations: [
              renew,
              { type: "delete", key },
              { type: "delete", key: keys.lastSignIn(accountId, personId) },
            ],
            // Open streams end.
            notify: [key],
          },
          result: found.row,
          audited: toAudited("person.removed", accountId, personId, [
            toChange("email", found.row.email, undefined),
            toChange("role", found.row.role, undefined),
          ]),
        };
      });
      await removeLeftOver(accountId, removed);
      return { id: personId, deleted: true };
    },
  };
}

function isSessionOf(personId: string, { is_row: isRow, person }: SessionEntry): boolean {
  return isRow && person?.id === personId;
}
