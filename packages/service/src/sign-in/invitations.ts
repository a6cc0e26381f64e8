import {
  HookwrightError,
  isTimeZone,
  acceptanceSchema,
  parseInput,
  toTimestamp,
  withoutEmpty,
} from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { readPeople } from "../lookups/read-people.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { createMark, toFingerprint, toSessionMark } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import { parsePersonRow } from "../rows/person-row.ts";
import type { InvitationRow, PersonRow } from "../rows/person-row.ts";
import type { ClientAddress, SessionUseCases } from "../use-cases.ts";
import type { SignInAudit } from "./audit-sign-ins.ts";
import { toClientNetwork } from "./client-network.ts";
import type { NetworkThrottle } from "./network-throttle.ts";
import { openSession } from "./open-session.ts";
import type { PasswordQueue } from "./password-queue.ts";
import { hashPassword } from "./password.ts";
import { toSessionActor } from "./session-holder.ts";
import type { SignInIndex } from "./sign-in-index.ts";

/** The API masks texts with this prefix in its logs. */
export const invitationPrefix = "hwi_";

export interface SignInParts {
  readonly networks: NetworkThrottle;
  readonly queue: PasswordQueue;
  readonly signIns: SignInIndex;
  readonly audit: SignInAudit;
}

interface FoundInvitation {
  readonly accountText: string;
  readonly personText: string;
  readonly person: PersonRow;
  readonly expiresAt: number;
}

/** Accepts invitations. A wrong token counts as a failed sign-in of the client's network. */
export function createInvitations(
  context: ServiceContext,
  { networks, queue, signIns, audit }: SignInParts,
): Pick<SessionUseCases, "getInvitation" | "acceptInvitation"> {
  const { store, now, passwordSalt, randomBytes } = context;

  /** @throws HookwrightError `resource_not_found`, `rate_limited` */
  async function find(token: string, client: ClientAddress): Promise<FoundInvitation & InvitationRow> {
    networks.check(client);
    const fingerprint = toFingerprint(token);
    const text = await store.get(keys.invitation(fingerprint));
    const invitation: InvitationRow | undefined = text === undefined ? undefined : JSON.parse(text);
    const found = invitation && (await read(invitation, fingerprint));
    if (invitation !== undefined && found !== undefined) return { ...invitation, ...found };
    networks.take(client);
    context.onFailedAuthentication?.({
      credential: "console_link",
      network: toClientNetwork(client.clientAddress),
    });
    throw usedInvitation();
  }

  async function read(
    { account_id: accountId, person_id: personId }: InvitationRow,
    fingerprint: string,
  ): Promise<FoundInvitation | undefined> {
    const [accountText, personText] = await store.getMany([
      keys.account(accountId),
      keys.person(accountId, personId),
    ]);
    if (accountText === undefined || personText === undefined) return undefined;
    if (parseAccountRow(accountText).status !== "active") return undefined;
    const person = parsePersonRow(personText);
    const { invitation } = person;
    if (invitation?.fingerprint !== fingerprint || now() >= invitation.expires_at) return undefined;
    return { accountText, personText, person, expiresAt: invitation.expires_at };
  }

  return {
    async getInvitation(token, client = {}) {
      const { accountText, person, expiresAt } = await find(token, client);
      const { email, role } = person;
      return {
        account_name: parseAccountRow(accountText).name,
        email,
        role,
        expires_at: toTimestamp(expiresAt),
      };
    },

    async acceptInvitation(token, input, client = {}, { requestId } = { requestId: null }) {
      const { name, password, timezone } = parseInput(acceptanceSchema, withoutEmpty(input));
      const { account_id: accountId, person_id: personId, person: invited } = await find(token, client);
      const { email } = invited;
      const network = toClientNetwork(client.clientAddress);
      // Before the derivation, which costs more than a refusal.
      await signIns.addPerson({ accountId, personId, email });
      const hashed = await queue.run({ network, email }, () => hashPassword(password, passwordSalt(email)));
      const key = keys.person(accountId, personId);
      const fingerprint = toFingerprint(token);
      const { account, person } = await commitAudited(
        context,
        key[0],
        { actor: toSessionActor({ id: personId, name, email }, undefined), requestId },
        async () => {
          // Changes of people conflict, so the role is that of this moment.
          const { check, renew } = await readPeople(store, accountId);
          const found = await read({ account_id: accountId, person_id: personId }, fingerprint);
          if (found === undefined) throw usedInvitation();
          const row: PersonRow = {
            ...found.person,
            name,
            timezone: timezone !== undefined && isTimeZone(timezone) ? timezone : null,
            invitation: null,
            password: hashed,
          };
          return {
            commit: {
              checks: [
                check,
                { key, value: found.personText },
                { key: keys.account(accountId), value: found.accountText },
              ],
              mutations: [renew(createMark(randomBytes)), { type: "set", key, value: JSON.stringify(row) }],
            },
            result: { account: parseAccountRow(found.accountText), person: row },
            audited: { action: "person.joined", accountId, target: { kind: "person", id: personId } },
          };
        },
      );
      const invitationKey = keys.invitation(fingerprint);
      await store.commit(invitationKey[0], { mutations: [{ type: "delete", key: invitationKey }] });
      const mark = toSessionMark(hashed, await store.get(keys.sessionsEnded(accountId)));
      return openSession(context, audit, { account, mark, client, person });
    },
  };
}

function usedInvitation(): HookwrightError {
  return new HookwrightError(
    "resource_not_found",
    "The invitation was already used, has expired or was withdrawn. Ask for another one.",
  );
}
