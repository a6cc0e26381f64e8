import type { ServiceContext } from "../context.ts";
import type { PublishResult } from "../use-cases.ts";
import { addPublication, beginCommit, endCommit } from "./prepare-publication.ts";
import type { CommitDraft, Published } from "./prepare-publication.ts";
import type { Publication } from "./publication.ts";
import type { PublicationReads } from "./read-for-publication.ts";

/** A publication with the promise of its caller. */
export interface Waiting {
  readonly publication: Publication;
  readonly resolve: (result: PublishResult) => void;
  readonly reject: (error: unknown) => void;
}

export interface Member {
  readonly waiting: Waiting;
  readonly published: Published;
}

/** The publications of one commit. */
export interface Batch extends CommitDraft {
  readonly members: Member[];
}

/** `later`: its rows must be read again, for example because an earlier publication changes the same person. */
export type Packed =
  | { readonly type: "batch"; readonly batch: Batch }
  | { readonly type: "alone"; readonly waiting: Waiting }
  | { readonly type: "later"; readonly waiting: Waiting };

/** Limits of one commit. A large commit would block other users of the store. */
const mutationsPerCommit = 512;
const sizePerCommit = 32 * 1_024;

/**
 * Packs publications into commits. It is a generator, so a commit is on its way while the next one is packed. Invalid publications are
 * rejected and are in no commit.
 *
 * @param heads at most one publication of each record
 * @param reads what each of them depends on, in order
 */
export function* packPublications(
  context: ServiceContext,
  accountId: string,
  heads: readonly Waiting[],
  reads: readonly PublicationReads[],
): Generator<Packed, void, undefined> {
  const changedPeople = new Set<string>();
  let batch = emptyBatch(context.now());
  let size = 0;

  for (let index = 0; index < heads.length; index++) {
    const [waiting, read] = [heads[index], reads[index]];
    if (waiting === undefined || read === undefined) continue;
    const { publication } = waiting;
    // It changes the entries of two addresses. Other publications of the batch may need the previous one.
    if (read.addressLeft !== undefined) {
      yield { type: "alone", waiting };
      continue;
    }
    const person = mayChangePerson(read) ? read.person?.key.join("\0") : undefined;
    if (person !== undefined && changedPeople.has(person)) {
      yield { type: "later", waiting };
      continue;
    }
    const { checks, mutations, counted } = batch;
    const before = [checks.length, mutations.length, counted.length] as const;
    try {
      const added = addPublication(batch, context, accountId, publication, read);
      if (person !== undefined && added.changesPerson) changedPeople.add(person);
      batch.members.push({ waiting, published: added.published });
      size += added.size;
    } catch (error) {
      [checks.length, mutations.length, counted.length] = before;
      waiting.reject(error);
    }
    if (mutations.length < mutationsPerCommit && size < sizePerCommit) continue;
    endCommit(batch);
    yield { type: "batch", batch };
    batch = emptyBatch(context.now());
    size = 0;
  }
  endCommit(batch);
  if (batch.members.length > 0) yield { type: "batch", batch };
}

/** Whether the publication may change the person, see `contactOfRecord` and `joinAddress`. Nearly all people are known already. */
function mayChangePerson({ person }: PublicationReads): boolean {
  if (person?.customer === undefined) return person !== undefined;
  return person.entryText === undefined || person.contactText !== undefined;
}

function emptyBatch(now: number): Batch {
  return { members: [], ...beginCommit(now) };
}
