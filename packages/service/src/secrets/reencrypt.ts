import { DeliveryError, signingSecretsIn } from "@hookwright/delivery";
import type { SigningSecretsRow } from "@hookwright/delivery";
import type { Check, Key, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { keys } from "../rows/keys.ts";
import { presentReaderMs } from "../rows/listener-row.ts";
import type { ListenerRow } from "../rows/listener-row.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { keyIdOf } from "./secret-box.ts";
import type { SecretBox } from "./secret-box.ts";
import { toHeadersContext } from "./signing.ts";

export interface ReencryptOptions {
  readonly store: Store;
  readonly box: SecretBox;
  readonly partition: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Reencrypted {
  readonly rows: number;
  readonly reencrypted: number;
  /** Ids of webhooks and listeners with a value that cannot be decrypted. */
  readonly unreadable: readonly string[];
}

type Reseal = (sealed: string, context: string) => string;

/** Rows with encrypted values. */
interface SealedTable {
  readonly prefix: (partition: string) => Key;
  /** The row with its values encrypted again. */
  readonly reencrypt: (text: string, reseal: Reseal) => object;
  /** A store does not return the expiry of a row, so its longest lifetime begins again. */
  readonly expiresInMs?: number;
}

const tables: readonly SealedTable[] = [
  {
    prefix: signingSecretsIn,
    reencrypt(text, reseal) {
      const row: SigningSecretsRow = JSON.parse(text);
      const { webhook_id: id, current, pending, headers } = row;
      return {
        ...row,
        current: reseal(current, id),
        pending: pending === null ? null : reseal(pending, id),
        ...(headers && { headers: { ...headers, sealed: reseal(headers.sealed, toHeadersContext(id)) } }),
      };
    },
  },
  {
    prefix: keys.listenersIn,
    expiresInMs: presentReaderMs,
    reencrypt(text, reseal) {
      const row: ListenerRow = JSON.parse(text);
      return { ...row, secret: reseal(row.secret, row.id) };
    },
  },
];

/** Small, because a change of any of these rows repeats the commit. */
const pageSize = 50;

/** Encrypts all values of a partition with the current secret of the box. Values that have it already are not written. */
export async function reencryptPartition(options: ReencryptOptions): Promise<Reencrypted> {
  let rows = 0;
  let reencrypted = 0;
  const unreadable: string[] = [];
  for (const table of tables) {
    const prefix = table.prefix(options.partition);
    for await (const entries of listPages(options.store, { prefix, pageSize })) {
      options.signal?.throwIfAborted();
      const page = await reencryptRows(
        options,
        table,
        entries.map(({ key }) => key),
      );
      rows += entries.length;
      reencrypted += page.reencrypted;
      unreadable.push(...page.unreadable);
    }
  }
  return { rows, reencrypted, unreadable };
}

function reencryptRows(
  { store, box, partition }: ReencryptOptions,
  { reencrypt, expiresInMs }: SealedTable,
  rowKeys: readonly Key[],
): Promise<Omit<Reencrypted, "rows">> {
  return commitUntilDone(store, partition, async () => {
    const texts = await store.getMany(rowKeys);
    const checks: Check[] = [];
    const mutations: Mutation[] = [];
    const unreadable: string[] = [];
    rowKeys.forEach((key, index) => {
      const text = texts[index];
      // Removed since it was listed.
      if (text === undefined) return;
      const { reseal, hasFailed } = createReseal(box);
      const value = JSON.stringify(reencrypt(text, reseal));
      if (hasFailed()) unreadable.push(String(key.at(-1)));
      if (value === text) return;
      checks.push({ key, value: text });
      mutations.push({ type: "set", key, value, ...(expiresInMs !== undefined && { expiresInMs }) });
    });
    const result = { reencrypted: mutations.length, unreadable };
    return mutations.length === 0 ? { result } : { commit: { checks, mutations }, result };
  });
}

/** Values that cannot be decrypted stay as they are: another secret may decrypt them later. */
function createReseal(box: SecretBox): { readonly reseal: Reseal; readonly hasFailed: () => boolean } {
  let failed = false;
  return {
    reseal(sealed, context) {
      if (keyIdOf(sealed) === box.keyId) return sealed;
      try {
        return box.seal(box.open(sealed, context), context);
      } catch (error) {
        if (!(error instanceof DeliveryError)) throw error;
        failed = true;
        return sealed;
      }
    },
    hasFailed: () => failed,
  };
}
