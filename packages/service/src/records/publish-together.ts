import type { DeliveryRow } from "@hookwright/delivery";
import { partitionOf, StorageError } from "@hookwright/storage";
import type { Check, KeyPart, Mutation, StorageErrorCode } from "@hookwright/storage";
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
  /** Characters of the records. */
  size: number;
}

/** A commit begins no further publication beyond these: what comes together must not hold up a store that serves others. */
const mutationsPerCommit = 512;
const sizePerCommit = 512 * 1_024;

/**
 * Publishes in one atomic commit what is published together: most of what a commit costs is the commit, not what is in it.
 * Publications that are asked for in one round of microtasks go together, one for each record; what else is about that record
 * follows in the order in which it was asked for. One whose commit is refused goes by itself, so that none fails for another.
 */
export function createPublishTogether(
  context: ServiceContext,
): (accountId: string, publication: Publication) => Promise<Published> {
  const { store, scheduler } = context;
  const hashOf = createKeyHash(context.randomBytes);
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
    const heads: Waiting[] = [];
    const followers = new Map<number, Waiting[]>();
    const records = new Set<number>();
    for (const waiting of group) {
      const { kind, data } = waiting.publication;
      const record = hashOf([kind, data.id]);
      const line = followers.get(record);
      if (line !== undefined) line.push(waiting);
      else if (records.has(record)) followers.set(record, [waiting]);
      else {
        records.add(record);
        heads.push(waiting);
      }
    }
    await publishHeads(accountId, heads);
    await Promise.all(
      Array.from(followers.values(), async (line) => {
        for (const waiting of line) await publishAlone(accountId, waiting);
      }),
    );
  }

  /** No two of one record. */
  async function publishHeads(accountId: string, heads: readonly Waiting[]): Promise<void> {
    const reads = await Promise.all(
      heads.map(({ publication, reject }) =>
        readForPublication(context, accountId, publication).catch((error: unknown) => void reject(error)),
      ),
    );
    const { batches, later } = toBatches(accountId, heads, reads);
    await Promise.all(batches.map((batch) => publishBatch(accountId, batch)));
    // A person has few blanks to be filled: there are three such rounds at most.
    if (later.length > 0) await publishHeads(accountId, later);
  }

  async function publishBatch(accountId: string, { members, checks, mutations, wake }: Batch): Promise<void> {
    try {
      const { ok } = await store.commit(partitionOf(accountId), { checks, mutations, wake });
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

  /** Whose person an earlier one makes or fills in has to be read again, after it. */
  function toBatches(
    accountId: string,
    heads: readonly Waiting[],
    reads: readonly (PublicationReads | void)[],
  ): { readonly batches: readonly Batch[]; readonly later: readonly Waiting[] } {
    const batches: Batch[] = [];
    const later: Waiting[] = [];
    const people = new Set<number>();
    for (const [index, waiting] of heads.entries()) {
      const read = reads[index];
      if (read === undefined) continue;
      const person = read.person === undefined ? undefined : hashOf(read.person.key);
      if (person !== undefined && people.has(person)) {
        later.push(waiting);
        continue;
      }
      try {
        const prepared = preparePublication(context, accountId, waiting.publication, read);
        if (person !== undefined && prepared.changesPerson) people.add(person);
        let batch = batches.at(-1);
        if (
          batch === undefined ||
          batch.mutations.length >= mutationsPerCommit ||
          batch.size >= sizePerCommit
        ) {
          batch = { members: [], checks: [], mutations: [], wake: false, size: 0 };
          batches.push(batch);
        }
        batch.members.push({ waiting, prepared });
        batch.checks.push(...prepared.commit.checks);
        batch.mutations.push(...prepared.commit.mutations);
        batch.wake ||= prepared.commit.wake;
        batch.size += waiting.publication.json.length;
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

/**
 * Keys as numbers: V8 looks every text of a set up among all it knows. Two keys with one hash only wait for each other; nobody
 * outside can choose such keys, because the factor is another in every process.
 */
function createKeyHash(randomBytes: ServiceContext["randomBytes"]): (parts: readonly KeyPart[]) => number {
  const [one = 0, two = 0, three = 0, four = 0] = randomBytes(4);
  const factor = (one << 24) | (two << 16) | (three << 8) | four | 1;
  return (parts) => {
    let hash = 0;
    for (const part of parts) {
      const text = String(part);
      for (let at = 0; at < text.length; at++) hash = Math.imul(hash, factor) + text.charCodeAt(at);
      hash = Math.imul(hash ^ (hash >>> 15), factor);
    }
    return hash;
  };
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
