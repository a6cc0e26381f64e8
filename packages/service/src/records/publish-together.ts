import type { DeliveryRow } from "@hookwright/delivery";
import { partitionOf, StorageError } from "@hookwright/storage";
import type { Check, Key, Mutation, StorageErrorCode } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { preparePublication } from "./prepare-publication.ts";
import type { PreparedPublication } from "./prepare-publication.ts";
import type { Publication } from "./publication.ts";
import { readForPublication } from "./read-for-publication.ts";
import type { PublicationReads } from "./read-for-publication.ts";

export interface Published {
  readonly deliveries: readonly DeliveryRow[];
  readonly duplicate: boolean;
}

interface Waiting {
  readonly publication: Publication;
  readonly resolve: (published: Published) => void;
  readonly reject: (error: unknown) => void;
}

/** Publications that one commit carries. */
interface Batch {
  readonly members: { readonly waiting: Waiting; readonly prepared: PreparedPublication }[];
  readonly checks: Check[];
  readonly mutations: Mutation[];
  wake: boolean;
}

/** A commit begins no further publication beyond these: what comes together must not hold up a store that serves others. */
const mutationsPerCommit = 512;

/**
 * Publishes in one atomic commit what is published together: most of what a commit costs is the commit, not what is in it.
 * Publications that are asked for in one round of microtasks go together where they do not touch each other; one that does,
 * or whose commit is refused, goes by itself, so that none fails for another.
 */
export function createPublishTogether(
  context: ServiceContext,
): (accountId: string, publication: Publication) => Promise<Published> {
  const { store, scheduler } = context;
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
    const reads = await Promise.all(
      group.map(({ publication, reject }) =>
        readForPublication(context, accountId, publication).catch((error: unknown) => void reject(error)),
      ),
    );
    const { batches, later } = toBatches(accountId, group, reads);
    await Promise.all(batches.map((batch) => publishBatch(accountId, batch)));
    if (later.length > 0) await publishGroup(accountId, later);
  }

  async function publishBatch(accountId: string, { members, ...commit }: Batch): Promise<void> {
    try {
      const { ok } = await store.commit(partitionOf(accountId), commit);
      if (ok) {
        const deliveries = members.flatMap(({ prepared }) => prepared.deliveries);
        if (deliveries.length > 0) scheduler.offer(accountId, deliveries);
        for (const { waiting, prepared } of members) waiting.resolve(prepared);
        return;
      }
    } catch (error) {
      if (!isOfInput(error)) {
        for (const { waiting } of members) waiting.reject(error);
        return;
      }
    }
    await Promise.all(members.map(({ waiting }) => publishAlone(accountId, waiting)));
  }

  async function publishAlone(accountId: string, { publication, resolve, reject }: Waiting): Promise<void> {
    try {
      const published = await commitUntilDone(store, partitionOf(accountId), async () => {
        const reads = await readForPublication(context, accountId, publication);
        const { commit, ...result } = preparePublication(context, accountId, publication, reads);
        return { commit, result };
      });
      if (published.deliveries.length > 0) scheduler.offer(accountId, published.deliveries);
      resolve(published);
    } catch (error) {
      reject(error);
    }
  }

  /** What touches what an earlier one writes has to be read again, after it; and what touches that one waits with it. */
  function toBatches(
    accountId: string,
    group: readonly Waiting[],
    reads: readonly (PublicationReads | void)[],
  ): { readonly batches: readonly Batch[]; readonly later: readonly Waiting[] } {
    const batches: Batch[] = [];
    const later: Waiting[] = [];
    const written = new Set<number>();
    for (const [index, waiting] of group.entries()) {
      const read = reads[index];
      if (read === undefined) continue;
      const record = hashOf(read.recordKey);
      const person = read.person === undefined ? undefined : hashOf(read.person.key);
      if (written.has(record) || (person !== undefined && written.has(person))) {
        later.push(waiting);
        written.add(record);
        if (person !== undefined) written.add(person);
        continue;
      }
      try {
        const prepared = preparePublication(context, accountId, waiting.publication, read);
        written.add(record);
        if (person !== undefined && prepared.changesPerson) written.add(person);
        let batch = batches.at(-1);
        if (batch === undefined || batch.mutations.length >= mutationsPerCommit) {
          batch = { members: [], checks: [], mutations: [], wake: false };
          batches.push(batch);
        }
        batch.members.push({ waiting, prepared });
        batch.checks.push(...prepared.commit.checks);
        batch.mutations.push(...prepared.commit.mutations);
        batch.wake ||= prepared.commit.wake;
      } catch (error) {
        waiting.reject(error);
      }
    }
    return { batches, later };
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

/** Two keys with one hash only wait for each other. A set of texts would cost more: V8 looks each up among all it knows. */
function hashOf(key: Key): number {
  let hash = 0;
  for (const part of key) {
    if (typeof part !== "string") continue;
    for (let at = 0; at < part.length; at++) hash = (Math.imul(hash, 31) + part.charCodeAt(at)) | 0;
  }
  return hash;
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
