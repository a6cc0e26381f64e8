import { HookwrightError, isHostId } from "@hookwright/domain";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { toSessionMark } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import { parseSessionEntry, toListedSession } from "../rows/session-entry.ts";
import type { SessionEntry } from "../rows/session-entry.ts";
import { readPeople } from "../lookups/read-people.ts";
import { readIdPage } from "../store/id-page.ts";
import type { SessionCaller, SessionUseCases } from "../use-cases.ts";

/** Entries that one page reads: many may have ended. */
const maximumScanned = 1_000;

/** The open sessions of an account. Owners see and end all, others their own. A read-only session sees only itself. */
export function createSessionList(context: ServiceContext): Pick<SessionUseCases, "list" | "end"> {
  const { store, now } = context;

  return {
    async list(caller, page) {
      const { accountId } = caller;
      const [[ended, password], { people }] = await Promise.all([
        store.getMany([keys.sessionsEnded(accountId), keys.accountPassword(accountId)]),
        readPeople(store, accountId),
      ]);
      const rows = new Map(people.map(({ row }) => [row.id, row]));
      const personOf = ({ is_row, person }: SessionEntry) =>
        is_row && person !== null ? rows.get(person.id) : undefined;
      const isOpen = (entry: SessionEntry): boolean => {
        const login = entry.is_row ? personOf(entry)?.password : password;
        if (entry.is_row && (login === undefined || login === null)) return false;
        const mark = toSessionMark(login ?? undefined, ended, entry.is_row ? undefined : entry.role);
        return now() < entry.expires_at && entry.mark === mark;
      };
      const found = await readIdPage(context, {
        accountId,
        list: "console-sessions",
        page,
        prefix: keys.sessionEntries(accountId),
        maximumScanned,
        isShown: (text) => {
          const entry = parseSessionEntry(text);
          return isOpen(entry) && mayEnd(caller, entry);
        },
        toRow: parseSessionEntry,
      });
      const rowsOfPage = found.rows.map((entry) =>
        toListedSession(entry, personOf(entry)?.role ?? entry.role, entry.id === sessionIdOf(caller)),
      );
      return { ...found, rows: rowsOfPage };
    },

    async end(caller, sessionId, origin) {
      const { accountId } = caller;
      if (!isHostId(sessionId)) throw noSuchSession();
      const key = keys.sessionEntry(accountId, sessionId);
      return commitAudited(context, key[0], origin, async () => {
        const text = await store.get(key);
        if (text === undefined || now() >= parseSessionEntry(text).expires_at) throw noSuchSession();
        if (!mayEnd(caller, parseSessionEntry(text)))
          throw new HookwrightError(
            "forbidden",
            'Only owners may end the sessions of others: this needs the right "people".',
          );
        return {
          commit: {
            checks: [{ key, value: text }],
            mutations: [{ type: "delete", key }],
            notify: [key],
          },
          result: { id: sessionId, signed_out: true },
          audited: { action: "console_session.ended", accountId, target: { kind: "session", id: sessionId } },
        };
      });
    },
  };
}

function noSuchSession(): HookwrightError {
  return new HookwrightError("resource_not_found", "No such session. It may have ended already.");
}

function mayEnd(caller: SessionCaller, { id, person, is_row }: SessionEntry): boolean {
  const { account, credential, rights } = caller;
  const isReadOnly = account.demo || (credential.type === "console" && credential.readOnly === true);
  if ((rights.includes("people") && !isReadOnly) || id === sessionIdOf(caller)) return true;
  if (isReadOnly || person === null || credential.type !== "console") return false;
  // A host may give its own people ids of this form.
  return person.id === caller.person?.id && is_row === (credential.personId !== undefined);
}

function sessionIdOf({ credential }: SessionCaller): string | undefined {
  return credential.type === "console" ? credential.sessionId : undefined;
}
