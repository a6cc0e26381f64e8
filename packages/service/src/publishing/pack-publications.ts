import type { Key } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import type { PublishResult } from "../use-cases.ts";
import { areSurelyDifferent } from "./are-surely-different.ts";
import type { NewRecordGuess } from "./new-record-guess.ts";
import { addPublication, beginCommit } from "./prepare-publication.ts";
import type { CommitDraft, Published } from "./prepare-publication.ts";
import type { Publication } from "./publication.ts";
import type { PublicationReads } from "./read-for-publication.ts";

/** A publication that somebody waits for. */
export interface Waiting {
  readonly publication: Publication;
  readonly resolve: (result: PublishResult) => void;
  readonly reject: (error: unknown) => void;
}

export interface Member {
  readonly waiting: Waiting;
  readonly published: Published;
  readonly recordKey: Key;
  /** Its record was not read. */
  readonly isTakenForNew: boolean;
}

/** Publications that one commit carries. */
export interface Batch extends CommitDraft {
  readonly members: Member[];
}

/** Those come later that have to be read again, or for the first time: whose person an earlier one makes or fills in, say. */
export type Packed =
  | { readonly type: "batch"; readonly batch: Batch }
  | { readonly type: "alone"; readonly waiting: Waiting }
  | { readonly type: "later"; readonly waiting: Waiting };

/** A commit begins no further publication beyond these: what comes together must not hold up a store that serves others. */
const mutationsPerCommit = 512;
const sizePerCommit = 32 * 1_024;

/**
 * Puts publications into commits, one commit after the other, as they are asked for: what has become of the first is known where the last is
 * put together. One that cannot be published is rejected, and is in none of them.
 *
 * @param heads no two of one record
 * @param reads what each of them depends on, in their order
 */
export function* packPublications(
  context: ServiceContext,
  guess: NewRecordGuess,
  accountId: string,
  heads: readonly Waiting[],
  reads: readonly PublicationReads[],
): Generator<Packed, void, undefined> {
  const people = new Set<string>();
  const mayShareSomeone = reads.some(mayChangePerson) && !areSurelyDifferent(addressesOf(reads));
  let batch = emptyBatch(context.now());
  let size = 0;

  for (let index = 0; index < heads.length; index++) {
    const [waiting, read] = [heads[index], reads[index]];
    if (waiting === undefined || read === undefined) continue;
    const { publication } = waiting;
    const { recordKey, isTakenForNew } = read;
    // A commit of before has shown that they are not all new.
    if (isTakenForNew && !guess.mayBeNew(publication.event)) {
      yield { type: "later", waiting };
      continue;
    }
    // It changes what two addresses lead to, and others here may be about the one it leaves.
    if (read.addressLeft !== undefined) {
      yield { type: "alone", waiting };
      continue;
    }
    const person = mayShareSomeone ? read.person?.key.join("\0") : undefined;
    if (person !== undefined && people.has(person)) {
      yield { type: "later", waiting };
      continue;
    }
    const { checks, mutations } = batch;
    const [checked, mutated] = [checks.length, mutations.length];
    try {
      const added = addPublication(batch, context, accountId, publication, read);
      if (person !== undefined && added.changesPerson) people.add(person);
      batch.members.push({ waiting, published: added.published, recordKey, isTakenForNew });
      if (!isTakenForNew) guess.saw(publication.event, read.before === undefined);
      size += added.size;
    } catch (error) {
      checks.length = checked;
      mutations.length = mutated;
      waiting.reject(error);
    }
    if (mutations.length < mutationsPerCommit && size < sizePerCommit) continue;
    yield { type: "batch", batch };
    batch = emptyBatch(context.now());
    size = 0;
  }
  if (batch.members.length > 0) yield { type: "batch", batch };
}

/**
 * Whether publishing it may write what is known of the person: so wherever `contactOfRecord` or `joinAddress` makes changes. Nearly
 * everything is about people who are known already.
 */
function mayChangePerson({ person }: PublicationReads): boolean {
  if (person?.customer === undefined) return person !== undefined;
  return person.entryText === undefined || person.contactText !== undefined;
}

function addressesOf(reads: readonly PublicationReads[]): string[] {
  return reads.flatMap(({ person }) => (person === undefined ? [] : [person.email]));
}

function emptyBatch(now: number): Batch {
  return { members: [], ...beginCommit(now) };
}
