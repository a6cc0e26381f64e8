import { invalidPartition, isPartition } from "../keys/key-bytes.ts";
import type { Key } from "../port.ts";
import type { ArgumentWriter, WriterMark } from "./argument-writer.ts";
import { emptyMarkOf, markField } from "./empty-marks.ts";
import { createKeyIndex } from "./key-index.ts";
import type { KeyIndex } from "./key-index.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { runScript } from "./run-script.ts";
import { defineScript, visibleFunction } from "./scripts/script.ts";
import { hasExpiry, toText } from "./stored-text.ts";
import type { WriterPool } from "./writer-pool.ts";

/**
 * Reads rows. Reads within one iteration of the event loop are one command for each partition and see one
 * snapshot. Rows that may be empty or that expire need a script, which can be a second command.
 */
export interface RowReads {
  get(key: Key): Promise<string | undefined>;
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
}

interface Group {
  /** Contains the hash fields: encoded keys and the marks of their kinds. */
  readonly writer: ArgumentWriter;
  /** A key that is requested several times is read once. */
  readonly keys: KeyIndex;
  /** The field index of each mark. */
  readonly marks: Map<number, number>;
  /** For the field of a key, the field index of its kind's mark. `undefined` for the field of a mark. */
  readonly markIndexes: (number | undefined)[];
  /** The text of each field. */
  readonly answer: Promise<readonly (string | undefined)[]>;
}

/** Lua's `unpack` is limited to fewer than 8,000 values, and marks are added. */
const maxFields = 4_000;

/** Reads rows from one snapshot, including rows that expire and empty rows, which are only in the index. */
const readScript = defineScript(`-- hookwright read, version 2
-- KEYS[1] rows  KEYS[2] index
-- ARGV[1] now (ms), or '' for the server's clock, then encoded keys and the marks of their kinds, about 4,000 at most
-- returns the text of each, or false
${visibleFunction}

local found = redis.call('hmget', KEYS[1], unpack(ARGV, 2))
for at, stored in ipairs(found) do
  if stored then
    found[at] = visible(stored) or false
  elseif redis.call('zscore', KEYS[2], ARGV[at + 1]) then
    found[at] = ''
  end
end
return found
`);

export function createRowReads(options: {
  readonly link: Link;
  readonly writers: WriterPool;
  readonly keysOf: (partition: string) => PartitionKeys;
  /** The time of the store's own clock, or "" for the clock of the server. */
  readonly now: () => string;
}): RowReads {
  const { link, writers, keysOf, now } = options;
  let groups = new Map<string, Group>();
  /** Marks of kinds whose rows expire. Only the server can decide whether a row has expired. */
  const expiringMarks = new Set<number>();

  function groupOf([partition]: Key): Group {
    if (!isPartition(partition)) throw invalidPartition(partition);
    const open = groups.get(partition);
    if (open !== undefined && open.markIndexes.length < maxFields) return open;
    if (groups.size === 0) link.beforeFlush(() => (groups = new Map()));
    const writer = writers.take();
    const request: Omit<Group, "answer"> = {
      writer,
      keys: createKeyIndex(writer),
      marks: new Map<number, number>(),
      markIndexes: [],
    };
    const answer = new Promise<readonly (string | undefined)[]>((resolve, reject) => {
      // Other calls may add keys until then.
      link.beforeFlush(() => {
        read(partition, request).then(resolve, reject);
      });
    });
    const group: Group = { ...request, answer };
    groups.set(partition, group);
    return group;
  }

  /** Returns the index of the key's text in the reply. */
  function fieldIndexOf({ writer, keys, marks, markIndexes }: Group, key: Key): number {
    const fieldIndex = keys.indexOf(key);
    if (fieldIndex < markIndexes.length) return fieldIndex;
    const mark = emptyMarkOf(key);
    const markIndex = marks.get(mark) ?? fieldIndex + 1;
    markIndexes[fieldIndex] = markIndex;
    if (markIndex > fieldIndex) {
      writer.text(markField(mark));
      marks.set(mark, markIndex);
      markIndexes.push(undefined);
    }
    return fieldIndex;
  }

  function rewindGroup({ writer, keys, marks, markIndexes }: Group, mark: WriterMark): void {
    writer.rewind(mark);
    keys.rewind(mark);
    for (const [number, fieldIndex] of marks) if (fieldIndex >= mark.count) marks.delete(number);
    markIndexes.length = mark.count;
  }

  async function read(partition: string, request: Omit<Group, "answer">): Promise<(string | undefined)[]> {
    const { writer, marks, markIndexes } = request;
    if (markIndexes.length === 0) {
      writers.release(writer);
      return [];
    }
    const mayExpire = expiringMarks.size > 0 && [...marks.keys()].some((mark) => expiringMarks.has(mark));
    const texts =
      (mayExpire ? undefined : await readStored(partition, request)) ?? (await readTexts(partition, request));
    writers.release(writer);
    return texts;
  }

  /** Returns `undefined` if the script is needed. */
  async function readStored(
    partition: string,
    { writer, marks, markIndexes }: Omit<Group, "answer">,
  ): Promise<(string | undefined)[] | undefined> {
    const stored = await link.read("hmget", [keysOf(partition).rows], writer.arguments());
    const found: readonly unknown[] = Array.isArray(stored) ? stored : [];
    let isWhole = true;
    for (const [fieldIndex, markIndex] of markIndexes.entries()) {
      if (markIndex === undefined) continue;
      if (found[fieldIndex] === null && found[markIndex] !== null) isWhole = false;
      if (!hasExpiry(found[fieldIndex])) continue;
      isWhole = false;
      for (const [mark, indexOfMark] of marks) if (indexOfMark === markIndex) expiringMarks.add(mark);
    }
    return isWhole ? found.map(toText) : undefined;
  }

  async function readTexts(
    partition: string,
    { writer }: Omit<Group, "answer">,
  ): Promise<(string | undefined)[]> {
    const { rows, index } = keysOf(partition);
    const fields = writer.arguments();
    const texts = await runScript(
      (command, values) => link.read(command, values, fields),
      readScript,
      [rows, index],
      [now()],
    );
    const found: readonly unknown[] = Array.isArray(texts) ? texts : [];
    return found.map((text) => (typeof text === "string" ? text : undefined));
  }

  return {
    async get(key) {
      const group = groupOf(key);
      const fieldIndex = fieldIndexOf(group, key);
      return (await group.answer)[fieldIndex];
    },
    async getMany(keys) {
      const before = new Map<Group, WriterMark>();
      const wanted = keys.map((key) => {
        try {
          const group = groupOf(key);
          if (!before.has(group)) before.set(group, group.writer.mark());
          return { answer: group.answer, fieldIndex: fieldIndexOf(group, key) };
        } catch (error) {
          // Remove the keys of this call, or their failure would be an unhandled rejection.
          for (const [group, mark] of before) rewindGroup(group, mark);
          throw error;
        }
      });
      const answers = [...new Set(wanted.map(({ answer }) => answer))];
      const found = await Promise.all(answers);
      return wanted.map(({ answer, fieldIndex }) => found[answers.indexOf(answer)]?.[fieldIndex]);
    },
  };
}
