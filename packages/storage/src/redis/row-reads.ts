import { invalidPartition, isPartition } from "../keys/key-bytes.ts";
import type { Key } from "../port.ts";
import type { ArgumentWriter, WriterMark } from "./argument-writer.ts";
import { emptyMarkOf, markField } from "./empty-marks.ts";
import { createKeyPlaces } from "./key-places.ts";
import type { KeyPlaces } from "./key-places.ts";
import type { Link } from "./link.ts";
import type { PartitionKeys } from "./partition-keys.ts";
import { runScript } from "./run-script.ts";
import { readScript } from "./scripts/read-script.ts";
import { visibleText } from "./stored-text.ts";
import type { WriterPool } from "./writer-pool.ts";

/**
 * Reads rows. What is asked for in one turn of the event loop is one command for each partition, and a second where some of it may be
 * empty; either way it is read at one moment.
 */
export interface RowReads {
  get(key: Key): Promise<string | undefined>;
  getMany(keys: readonly Key[]): Promise<(string | undefined)[]>;
}

interface Group {
  /** Has the fields: encoded keys, and the marks of their kinds. */
  readonly writer: ArgumentWriter;
  /** A key asked for twice, the account of a hundred publishes say, is read once. */
  readonly keys: KeyPlaces;
  /** By its number, where each mark stands among the fields. */
  readonly marks: Map<number, number>;
  /** For each field, where the mark of its kind stands among the fields; for a mark, none. */
  readonly markPlaces: (number | undefined)[];
  /** What is stored under each field. */
  readonly answer: Promise<readonly unknown[]>;
}

/** Lua unpacks fewer than 8,000, and marks come on top. */
const mostFields = 4_000;

export function createRowReads(options: {
  readonly link: Link;
  readonly writers: WriterPool;
  readonly keysOf: (partition: string) => PartitionKeys;
  readonly now: () => number;
}): RowReads {
  const { link, writers, keysOf, now } = options;
  let groups = new Map<string, Group>();

  function groupOf([partition]: Key): Group {
    if (!isPartition(partition)) throw invalidPartition(partition);
    const open = groups.get(partition);
    if (open !== undefined && open.markPlaces.length < mostFields) return open;
    if (groups.size === 0) link.beforeFlush(() => (groups = new Map()));
    const writer = writers.take();
    const asked: Omit<Group, "answer"> = {
      writer,
      keys: createKeyPlaces(writer),
      marks: new Map<number, number>(),
      markPlaces: [],
    };
    const answer = new Promise<readonly unknown[]>((resolve, reject) => {
      // More may be asked for until then.
      link.beforeFlush(() => {
        read(partition, asked).then(resolve, reject);
      });
    });
    const group: Group = { ...asked, answer };
    groups.set(partition, group);
    return group;
  }

  /** Where the key's text will stand in the answer. */
  function placeOf({ writer, keys, marks, markPlaces }: Group, key: Key): number {
    const place = keys.placeOf(key);
    if (place < markPlaces.length) return place;
    const mark = emptyMarkOf(key);
    const markPlace = marks.get(mark) ?? place + 1;
    markPlaces[place] = markPlace;
    if (markPlace > place) {
      writer.text(markField(mark));
      marks.set(mark, markPlace);
      markPlaces.push(undefined);
    }
    return place;
  }

  function takeBack({ writer, keys, marks, markPlaces }: Group, mark: WriterMark): void {
    writer.rewind(mark);
    keys.rewind(mark);
    for (const [number, place] of marks) if (place >= mark.count) marks.delete(number);
    markPlaces.length = mark.count;
  }

  async function read(
    partition: string,
    { writer, markPlaces }: Pick<Group, "writer" | "markPlaces">,
  ): Promise<readonly unknown[]> {
    if (markPlaces.length === 0) {
      writers.giveBack(writer);
      return [];
    }
    const { rows, index } = keysOf(partition);
    const fields = writer.arguments();
    const stored = await link.read("hmget", [rows], fields);
    const found = Array.isArray(stored) ? stored : [];
    const mayBeEmpty = (markPlace: number | undefined, place: number): boolean =>
      found[place] === null && markPlace !== undefined && found[markPlace] !== null;
    const isWhole = !markPlaces.some(mayBeEmpty);
    const answer = isWhole
      ? found
      : await runScript(
          (command, values) => link.read(command, values, fields),
          readScript,
          [rows, index],
          [],
        );
    writers.giveBack(writer);
    return Array.isArray(answer) ? answer : [];
  }

  return {
    async get(key) {
      const group = groupOf(key);
      const place = placeOf(group, key);
      return visibleText((await group.answer)[place], now());
    },
    async getMany(keys) {
      const before = new Map<Group, WriterMark>();
      const wanted = keys.map((key) => {
        try {
          const group = groupOf(key);
          if (!before.has(group)) before.set(group, group.writer.mark());
          return { answer: group.answer, place: placeOf(group, key) };
        } catch (error) {
          // A read that nobody waits for, since another key was refused, would fail unheard.
          for (const [group, mark] of before) takeBack(group, mark);
          throw error;
        }
      });
      const answers = [...new Set(wanted.map(({ answer }) => answer))];
      const found = await Promise.all(answers);
      return wanted.map(({ answer, place }) => visibleText(found[answers.indexOf(answer)]?.[place], now()));
    },
  };
}
