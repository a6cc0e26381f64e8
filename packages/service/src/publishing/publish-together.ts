import { setImmediate as nextRound } from "node:timers/promises";
import { bodyId } from "@hookwright/domain";
import { isSameKey, partitionOf, StorageError } from "@hookwright/storage";
import type { CommitResult, Key, StorageErrorCode } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import type { PublishResult } from "../use-cases.ts";
import { commitDeliveries, doubtIfUnanswered } from "../store/commit-deliveries.ts";
import { areSurelyDifferent } from "./are-surely-different.ts";
import { createNewRecordGuess } from "./new-record-guess.ts";
import { packPublications } from "./pack-publications.ts";
import type { Batch, Member, Waiting } from "./pack-publications.ts";
import { preparePublication } from "./prepare-publication.ts";
import type { Published } from "./prepare-publication.ts";
import type { Publication } from "./publication.ts";
import { noneIsNew, readForPublication, readForPublications } from "./read-for-publication.ts";
import type { PublicationReads } from "./read-for-publication.ts";

/** A thousand orders for fifty webhooks are a hundred commits: after so many of them others have their turn. */
const commitsInARow = 8;

/**
 * Publishes in one atomic commit what is published together: most of what a commit costs is the commit, not what is in it.
 * Publications that are asked for in one round of microtasks go together, one for each record; what else is about that record
 * follows in the order in which it was asked for. One whose commit is refused goes by itself, so that none fails for another.
 *
 * While all records of an event are new they are no longer read first: the commit checks that as well.
 */
export function createPublishTogether(
  context: ServiceContext,
): (accountId: string, publication: Publication) => Promise<PublishResult> {
  const { store, scheduler } = context;
  const guess = createNewRecordGuess();
  let gathered = new Map<string, Waiting[]>();

  function publishGathered(): void {
    const groups = gathered;
    gathered = new Map();
    for (const [accountId, group] of groups) {
      publishGroup(accountId, group).catch((error: unknown) => {
        for (const { reject } of group) reject(error);
      });
    }
  }

  async function publishGroup(accountId: string, group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    if (group.length === 1 && first !== undefined) return publishAlone(accountId, first);
    if (areSurelyDifferent(group.map(({ publication }) => publication.data.id)))
      return publishHeads(accountId, group);
    const heads: Waiting[] = [];
    /** Those that come after the first of a record. */
    const followers = new Map<string, Waiting[]>();
    for (const waiting of group) {
      const { kind, data } = waiting.publication;
      const record = `${kind}/${data.id}`;
      const line = followers.get(record);
      if (line !== undefined) line.push(waiting);
      else {
        followers.set(record, []);
        heads.push(waiting);
      }
    }
    await publishHeads(accountId, heads);
    await Promise.all(
      Array.from(followers.values())
        .filter((line) => line.length > 0)
        .map(async (line) => {
          for (const waiting of line) await publishAlone(accountId, waiting);
        }),
    );
  }

  /** No two of one record. */
  async function publishHeads(
    accountId: string,
    heads: readonly Waiting[],
    mayBeNew = guess.mayBeNew,
  ): Promise<void> {
    const publications = heads.map(({ publication }) => publication);
    let reads: readonly PublicationReads[];
    try {
      reads = await readForPublications(context, accountId, publications, mayBeNew);
    } catch (error) {
      // What is no error of the store is about a row that is damaged.
      return error instanceof StorageError ? failOrPart(accountId, heads, error) : part(accountId, heads);
    }
    const { published, later } = await commitPacked(accountId, heads, reads);
    await Promise.all(published);
    // Few rounds: a person who is known has few blanks to be filled.
    if (later.length > 0) await publishHeads(accountId, later, mayBeNew);
  }

  /** A store that is away fails all of them. What is wrong with one must not fail the others: then each goes by itself. */
  async function failOrPart(accountId: string, group: readonly Waiting[], error: unknown): Promise<void> {
    if (isOfInput(error)) await part(accountId, group);
    else for (const { reject } of group) reject(error);
  }

  async function part(accountId: string, group: readonly Waiting[]): Promise<void> {
    await Promise.all(group.map((waiting) => publishAlone(accountId, waiting)));
  }

  /** Whatever goes wrong is told to its members, and to nobody else. */
  async function settleBatch(
    accountId: string,
    members: readonly Member[],
    committing: Promise<CommitResult>,
  ): Promise<void> {
    try {
      await settle(accountId, members, committing);
    } catch (error) {
      for (const { waiting } of members) waiting.reject(error);
    }
  }

  /** Keeps nothing of the commit itself: until a remote store has answered, its rows would be a burden to the collector. */
  async function settle(
    accountId: string,
    members: readonly Member[],
    committing: Promise<CommitResult>,
  ): Promise<void> {
    const toGroup = (): Waiting[] => members.map(({ waiting }) => waiting);
    let committed: CommitResult;
    try {
      committed = await committing;
    } catch (error) {
      return failOrPart(accountId, toGroup(), error);
    }
    if (!committed.ok) {
      if (isWronglyGuessed(members, committed.failed)) await publishHeads(accountId, toGroup(), noneIsNew);
      else await part(accountId, toGroup());
      return;
    }
    const deliveries = members.flatMap(({ published }) => published.deliveries);
    if (deliveries.length > 0) scheduler.offer(accountId, deliveries);
    for (const { waiting, published, isTakenForNew } of members) {
      if (isTakenForNew) guess.saw(waiting.publication.event, true);
      waiting.resolve(toResult(waiting.publication, published));
    }
  }

  /** Whether the commit was refused for a record that is there already. */
  function isWronglyGuessed(members: readonly Member[], failed: Key): boolean {
    const wrong = members.find(
      ({ isTakenForNew, recordKey }) => isTakenForNew && isSameKey(recordKey, failed),
    );
    if (wrong !== undefined) guess.wasWrong(wrong.waiting.publication.event);
    return wrong !== undefined;
  }

  async function publishAlone(accountId: string, { publication, resolve, reject }: Waiting): Promise<void> {
    try {
      const published = await commitDeliveries(context, accountId, async () => {
        const reads = await readForPublication(context, accountId, publication);
        const { commit, published } = preparePublication(context, accountId, publication, reads);
        return { commit, result: published };
      });
      if (published.deliveries.length > 0) scheduler.offer(accountId, published.deliveries);
      resolve(toResult(publication, published));
    } catch (error) {
      reject(error);
    }
  }

  async function commitPacked(
    accountId: string,
    heads: readonly Waiting[],
    reads: readonly PublicationReads[],
  ): Promise<{ readonly published: readonly Promise<void>[]; readonly later: readonly Waiting[] }> {
    const published: Promise<void>[] = [];
    const later: Waiting[] = [];
    for (const packed of packPublications(context, guess, accountId, heads, reads)) {
      if (packed.type === "later") later.push(packed.waiting);
      else if (packed.type === "alone") published.push(publishAlone(accountId, packed.waiting));
      else {
        published.push(settleBatch(accountId, packed.batch.members, commit(accountId, packed.batch)));
        if (published.length % commitsInARow === 0) await nextRound();
      }
    }
    return { published, later };
  }

  /** What a store of the host's own throws at once is about this batch alone. */
  async function commit(accountId: string, { checks, mutations, wake }: Batch): Promise<CommitResult> {
    const committing = store.commit(partitionOf(accountId), { checks, mutations, wake });
    return doubtIfUnanswered(context, accountId, committing);
  }

  return (accountId, publication) =>
    new Promise((resolve, reject) => {
      if (gathered.size === 0) queueMicrotask(publishGathered);
      const waiting = { publication, resolve, reject };
      const group = gathered.get(accountId);
      if (group === undefined) gathered.set(accountId, [waiting]);
      else group.push(waiting);
    });
}

function toResult(
  { event, data, adjusted }: Publication,
  { deliveries, duplicate }: Published,
): PublishResult {
  return { id: bodyId(event, data.id), deliveries: deliveries.map(({ id }) => id), duplicate, adjusted };
}

const inputFaults: ReadonlySet<string> = new Set<StorageErrorCode>([
  "invalid_key",
  "key_too_long",
  "invalid_value",
  "value_too_large",
]);

/** Something in one of the publications cannot be stored; nothing was. */
function isOfInput(error: unknown): boolean {
  return error instanceof StorageError && inputFaults.has(error.code);
}
