import { setImmediate as nextTurn } from "node:timers/promises";
import { bodyId } from "@hookwright/domain";
import { partitionOf, StorageError } from "@hookwright/storage";
import type { CommitResult, StorageErrorCode } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import type { PublishResult } from "../use-cases.ts";
import { commitDeliveries, rescanIfUnknown } from "../store/commit-until-done.ts";
import { packPublications } from "./pack-publications.ts";
import type { Batch, Member, Waiting } from "./pack-publications.ts";
import { preparePublication } from "./prepare-publication.ts";
import type { Published } from "./prepare-publication.ts";
import type { Publication } from "./publication.ts";
import { readForPublication, readForPublications } from "./read-for-publication.ts";
import type { PublicationReads } from "./read-for-publication.ts";

/** A thousand orders for fifty webhooks are a hundred commits. After this many, other work runs. */
const commitsInARow = 8;

/**
 * Group commit: publications of one turn of the microtask queue share commits. A batch has one publication of each record. Further ones of
 * that record follow in order. If a batch is refused, each publication is committed alone, so that none fails because of another.
 *
 * On Redis, each of 256 publications at once costs 30 µs of CPU time, and 53 alone. In memory and on files nothing is gained.
 */
export function createPublishTogether(
  context: ServiceContext,
): (accountId: string, publication: Publication) => Promise<PublishResult> {
  const { store, worker } = context;
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
    const records = new Set<string>();
    const heads: Waiting[] = [];
    /** The publications after the first one of each record. */
    const followers = new Map<string, Waiting[]>();
    for (const waiting of group) {
      const { kind, data, event, eventId } = waiting.publication;
      const record = `${kind}/${data.id}`;
      const ofEvent = eventId === undefined ? record : `${event}/${eventId}`;
      if (!records.has(record) && !records.has(ofEvent)) {
        records.add(record).add(ofEvent);
        heads.push(waiting);
        continue;
      }
      const queue = followers.get(record);
      if (queue === undefined) followers.set(record, [waiting]);
      else queue.push(waiting);
    }
    await publishHeads(accountId, heads);
    await Promise.all(
      Array.from(followers.values(), async (queue) => {
        for (const waiting of queue) await publishAlone(accountId, waiting);
      }),
    );
  }

  /** At most one publication of each record. */
  async function publishHeads(accountId: string, heads: readonly Waiting[]): Promise<void> {
    const publications = heads.map(({ publication }) => publication);
    let reads: readonly PublicationReads[];
    try {
      reads = await readForPublications(context, accountId, publications);
    } catch (error) {
      // Any other error is about a damaged row.
      return error instanceof StorageError
        ? failOrSeparate(accountId, heads, error)
        : publishSeparately(accountId, heads);
    }
    const { published, later } = await commitPacked(accountId, heads, reads);
    await Promise.all(published);
    // There are few rounds: a known person has few blank fields.
    if (later.length > 0) await publishHeads(accountId, later);
  }

  /** If the store is unavailable, all fail. If one publication is invalid, each is published alone. */
  async function failOrSeparate(accountId: string, group: readonly Waiting[], error: unknown): Promise<void> {
    if (isInputError(error)) await publishSeparately(accountId, group);
    else for (const { reject } of group) reject(error);
  }

  async function publishSeparately(accountId: string, group: readonly Waiting[]): Promise<void> {
    await Promise.all(group.map((waiting) => publishAlone(accountId, waiting)));
  }

  /** Errors reject the members of the batch only. */
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

  /** Does not keep the commit in memory until a remote store answers. */
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
      return failOrSeparate(accountId, toGroup(), error);
    }
    if (!committed.ok) return publishSeparately(accountId, toGroup());
    const deliveries = members.flatMap(({ published }) => published.deliveries);
    if (deliveries.length > 0) worker.offer(accountId, deliveries);
    for (const { waiting, published } of members) waiting.resolve(toResult(waiting.publication, published));
  }

  async function publishAlone(accountId: string, { publication, resolve, reject }: Waiting): Promise<void> {
    try {
      const published = await commitDeliveries(context, accountId, async () => {
        const reads = await readForPublication(context, accountId, publication);
        const { commit, published } = preparePublication(context, accountId, publication, reads);
        return { commit, result: published };
      });
      if (published.deliveries.length > 0) worker.offer(accountId, published.deliveries);
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
    for (const packed of packPublications(context, accountId, heads, reads)) {
      if (packed.type === "later") later.push(packed.waiting);
      else if (packed.type === "alone") published.push(publishAlone(accountId, packed.waiting));
      else {
        published.push(settleBatch(accountId, packed.batch.members, commit(accountId, packed.batch)));
        if (published.length % commitsInARow === 0) await nextTurn();
      }
    }
    return { published, later };
  }

  /** Async, because a store of the host may throw synchronously. */
  async function commit(
    accountId: string,
    { checks, mutations, notify, takes }: Batch,
  ): Promise<CommitResult> {
    const committing = store.commit(partitionOf(accountId), { checks, mutations, notify, takes });
    return rescanIfUnknown(context, accountId, committing);
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
  { event, eventId, data, adjusted, dropped }: Publication,
  { deliveries, duplicate }: Published,
): PublishResult {
  return {
    id: bodyId(event, eventId ?? data.id),
    deliveries: deliveries.map(({ id }) => id),
    duplicate,
    adjusted,
    dropped,
  };
}

const inputErrors: ReadonlySet<string> = new Set<StorageErrorCode>([
  "invalid_key",
  "key_too_long",
  "invalid_value",
  "value_too_large",
  "already_taken",
]);

/** One of the publications cannot be stored, or another process has taken its row of the outbox. Nothing was stored. */
function isInputError(error: unknown): boolean {
  return error instanceof StorageError && inputErrors.has(error.code);
}
