import {
  accountInputSchema,
  defaultAccountDelivery,
  defaultAccountLimits,
  defaultAccountRetention,
  findProblems,
  hostIdSchema,
  mergePlan,
  parseInput,
  validationFailed,
  withoutEmpty,
  withoutEmptyIn,
} from "@hookwright/domain";
import type { AccountInput } from "@hookwright/domain";
import type { Mutation } from "@hookwright/storage";
import { commitAudited, toAuditedPut } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { readAccount } from "../lookups/read-account.ts";
import { sentField } from "../lookups/find-project.ts";
import { parseAccountRow, toAccount } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { keys } from "../rows/keys.ts";
import type { AccountUseCases } from "../use-cases.ts";
import { createLogSizes } from "./account-totals.ts";
import type { ReadAccountTotals } from "./account-totals.ts";
import { listAccounts } from "./list-accounts.ts";
import { hashPassword } from "../sign-in/password.ts";
import { removeAccount } from "./remove-account.ts";
import { createSignInIndex } from "../sign-in/sign-in-index.ts";

const noEmail = "email: is required";

/** Accounts, which the host manages. */
export function createAccounts(context: ServiceContext, readTotals: ReadAccountTotals): AccountUseCases {
  const readLogSizes = createLogSizes(context);
  const { store, now, passwordSalt, onError } = context;
  const signIns = createSignInIndex(context);

  async function hashNewPassword(
    accountId: string,
    { email, password }: AccountInput,
  ): Promise<string | undefined> {
    if (password === undefined) return undefined;
    const stored = email === undefined ? await store.get(keys.account(accountId)) : undefined;
    const address = email ?? (stored === undefined ? undefined : parseAccountRow(stored).email);
    if (address === undefined) throw validationFailed([noEmail]);
    return hashPassword(password, passwordSalt(address));
  }

  return {
    async put(accountId, body, origin) {
      parseInput(hostIdSchema, accountId, { root: "id" });
      const key = keys.account(accountId);
      const sent = withoutEmptyIn(accountInputSchema, withoutEmpty(body));
      const parsed = findProblems(accountInputSchema, sent);
      if (!parsed.ok) {
        const lacksEmail = sentField(sent, "email") === undefined && (await store.get(key)) === undefined;
        throw validationFailed([...(lacksEmail ? [noEmail] : []), ...parsed.problems]);
      }
      const { data: input } = parsed;
      const password = await hashNewPassword(accountId, input);
      const passwordKey = keys.accountPassword(accountId);
      const { row, created, obsoleteEntry } = await commitAudited(context, key[0], origin, async () => {
        const [stored, storedPassword, mark] = await store.getMany([
          key,
          passwordKey,
          keys.signInMark(accountId),
        ]);
        const before = stored === undefined ? undefined : parseAccountRow(stored);
        const after = merge(accountId, before, input, now());
        // An account without a password cannot sign in, so it needs no entry.
        const signIn = await signIns.prepare({
          accountId,
          mark,
          before: storedPassword === undefined ? undefined : before?.email,
          after: (password ?? storedPassword) === undefined ? undefined : after.email,
        });
        const mutations: Mutation[] = [{ type: "set", key, value: JSON.stringify(after) }];
        if (password !== undefined) mutations.push({ type: "set", key: passwordKey, value: password });
        const audited = toAuditedPut(
          { kind: "account", id: accountId },
          { accountId, before, after, also: password === undefined ? [] : ["password"] },
        );
        return {
          commit: {
            checks: [{ key, value: stored }, ...signIn.checks],
            mutations: [...mutations, ...signIn.mutations],
            // Open streams may no longer have access.
            notify: before === undefined || audited === undefined ? undefined : [key],
          },
          result: { row: after, created: before === undefined, obsoleteEntry: signIn.obsoleteEntry },
          audited,
        };
      });
      // The account is already changed. If this fails, the next sign-in with that address removes the entry.
      if (obsoleteEntry !== undefined)
        await signIns
          .removeObsolete(obsoleteEntry)
          .catch((error: unknown) =>
            onError(error, { account_id: accountId, code: "sign_in_entry_not_removed" }),
          );
      return { account: toAccount(row), created };
    },

    async get(accountId) {
      return toAccount(parseAccountRow(await readAccount(store, accountId)));
    },

    list: (filters, page) => listAccounts({ ...context, readTotals, readLogSizes }, filters, page),

    async remove(accountId, origin) {
      await removeAccount(context, accountId, origin);
      return { id: accountId, deleted: true };
    },
  };
}

function merge(id: string, before: AccountRow | undefined, input: AccountInput, now: number): AccountRow {
  const email = input.email ?? before?.email;
  // Required, because warnings about failing webhooks are sent to this address.
  if (email === undefined) throw validationFailed([noEmail]);
  return {
    id,
    name: input.name ?? before?.name ?? id,
    email,
    timezone: input.timezone ?? before?.timezone ?? "UTC",
    status: input.status ?? before?.status ?? "active",
    plan: mergePlan(before?.plan, input.plan),
    demo: input.demo ?? before?.demo ?? false,
    created_at: before?.created_at ?? now,
    ...ofHost("limits", mergeOwn(defaultAccountLimits, before?.limits, input.limits)),
    ...ofHost("retention", mergeOwn(defaultAccountRetention, before?.retention, input.retention)),
    ...ofHost("delivery", mergeOwn(defaultAccountDelivery, before?.delivery, input.delivery)),
  };
}

/** Fields that the host left out stay. Null is the default of the server. */
function mergeOwn<Values extends object>(
  defaults: Values,
  before: Values | undefined,
  input: { readonly [Name in keyof Values]?: Values[Name] | undefined } | undefined,
): Values {
  const sent = Object.entries(input ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...before, ...Object.fromEntries(sent) };
}

/** Absent if every value is the default. */
function ofHost<Name extends string, Values extends object>(
  name: Name,
  values: Values,
): { readonly [Key in Name]?: Values } | undefined {
  if (Object.values(values).every((value) => value === null)) return undefined;
  const row: { [Key in Name]?: Values } = {};
  row[name] = values;
  return row;
}
