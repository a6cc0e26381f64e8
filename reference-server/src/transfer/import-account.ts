import { accountImportKey, readAccountRows } from "hookwright";
import type { AccountRowEntry } from "hookwright";
import type { Mutation, Store } from "@hookwright/storage";
import { partitionOf } from "@hookwright/storage";
import { ServerError } from "../server-error.ts";
import { parseLine } from "./account-file.ts";
import type { CheckedAccountFile } from "./check-account-file.ts";
import { readLines } from "./read-lines.ts";

/** The value of {@link accountImportKey} until the import is complete. */
interface ImportProgress {
  readonly sha256: string;
  readonly done: number;
}

const maximumRows = 500;
const maximumLength = 1024 * 1024;

/**
 * Writes the rows of a checked file. To continue an interrupted import, import the same file again: the progress is
 * written in the same commit as the rows. An existing account is never changed.
 *
 * @param options.chunks the file, from its beginning
 * @param options.now milliseconds since the epoch
 * @param options.onProgress the number of rows so far and in total
 * @throws {ServerError} `transfer_refused`
 */
export async function importAccount(options: {
  readonly store: Store;
  readonly file: CheckedAccountFile;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly now: () => number;
  readonly onProgress?: (rows: number, of: number) => void;
}): Promise<{ readonly resumedAt: number }> {
  const { store, file, chunks, now, onProgress = () => {} } = options;
  const { accountId } = file.header;
  const progressKey = accountImportKey(accountId);
  const resumedAt = await begin({ store, file });
  let progress: ImportProgress = { sha256: file.sha256, done: resumedAt };

  async function advance(mutations: readonly Mutation[], done: number): Promise<void> {
    const next: ImportProgress = { sha256: file.sha256, done };
    const isLast = done === file.rows;
    const result = await store.commit(progressKey[0], {
      checks: [{ key: progressKey, value: JSON.stringify(progress) }],
      mutations: [
        ...mutations,
        isLast
          ? { type: "delete", key: progressKey }
          : { type: "set", key: progressKey, value: JSON.stringify(next) },
      ],
      // Any key of the partition works, because the worker scans the whole partition.
      notify: isLast ? [progressKey] : undefined,
    });
    if (!result.ok)
      throw new ServerError("transfer_refused", `${accountId} is being imported by another process.`);
    progress = next;
    onProgress(done, file.rows);
  }

  let batch: Mutation[] = [];
  let length = 0;
  let number = 0;
  for await (const line of readLines(chunks)) {
    number += 1;
    const done = number - 1;
    if (number === 1 || done <= resumedAt || done > file.rows) continue;
    const parsed = parseLine(line, number);
    if (parsed.type !== "row") break;
    const mutation = toMutation(parsed.row, now());
    if (mutation.key[0] !== progressKey[0] || parsed.row.key[2] !== accountId) {
      // Index rows of the account are in other partitions. Writing them twice is harmless.
      await store.commit(mutation.key[0], { mutations: [mutation] });
      if (done === file.rows) await advance(batch, done);
      continue;
    }
    batch.push(mutation);
    length += line.length;
    if (batch.length < maximumRows && length < maximumLength && done < file.rows) continue;
    await advance(batch, done);
    batch = [];
    length = 0;
  }
  return { resumedAt };
}

/** Checks that the account does not exist or that this file is being imported. Returns the number of written rows. */
async function begin({
  store,
  file,
}: {
  readonly store: Store;
  readonly file: CheckedAccountFile;
}): Promise<number> {
  const { accountId } = file.header;
  const key = accountImportKey(accountId);
  const stored = await store.get(key);
  const accountKey = [partitionOf(accountId), "account", accountId] as const;
  const isThere = (await store.get(accountKey)) !== undefined;

  async function note(before: string | undefined, progress: ImportProgress): Promise<string> {
    const value = JSON.stringify(progress);
    const noted = await store.commit(key[0], {
      checks: [
        { key, value: before },
        { key: accountKey, value: undefined },
      ],
      mutations: [{ type: "set", key, value }],
    });
    if (noted.ok) return value;
    throw new ServerError("transfer_refused", `${accountId} is being imported by another process.`);
  }

  let before = stored;
  if (stored !== undefined) {
    const { sha256, done }: ImportProgress = JSON.parse(stored);
    if (sha256 === file.sha256) return done;
    if (isThere) {
      throw new ServerError(
        "transfer_refused",
        `an import of another export of ${accountId} is nearly complete. Import that file again first. Nothing was imported.`,
      );
    }
    // The rows of another unfinished import are invisible, so they are removed for this one. If that file is imported
    // again later, its
    // import starts from the beginning.
    before = await note(stored, { sha256, done: 0 });
    await removeRows(store, accountId);
  } else if (isThere || (await hasRows(store, accountId))) {
    throw new ServerError(
      "transfer_refused",
      `the account ${accountId} already exists in this storage, and nothing is overwritten. Nothing was imported.`,
    );
  }
  await note(before, { sha256: file.sha256, done: 0 });
  return 0;
}

async function removeRows(store: Store, accountId: string): Promise<void> {
  let batch: Mutation[] = [];
  const commitBatch = async (): Promise<void> => {
    const [first] = batch;
    if (first !== undefined) await store.commit(first.key[0], { mutations: batch });
    batch = [];
  };
  for await (const { key } of readAccountRows({ store, accountId })) {
    if (batch.length >= maximumRows || (batch[0] !== undefined && batch[0].key[0] !== key[0]))
      await commitBatch();
    batch.push({ type: "delete", key });
  }
  await commitBatch();
}

/** True if the account has rows of its own. Index rows may remain from earlier. */
async function hasRows(store: Store, accountId: string): Promise<boolean> {
  for await (const { key } of readAccountRows({ store, accountId })) if (key[2] === accountId) return true;
  return false;
}

function toMutation({ key, value, lifetimeMs }: AccountRowEntry, now: number): Mutation {
  return lifetimeMs === undefined
    ? { type: "set", key, value }
    : { type: "set", key, value, expiresAt: now + lifetimeMs };
}
