import { decodeKey } from "../keys/key-codec.ts";
import { compareAge, numberedName, type ItemName, type NumberedKind } from "./item-names.ts";
import type { Items } from "./items.ts";
import type { Journal } from "./journal.ts";
import { mapInParallel } from "./map-in-parallel.ts";
import type { Ownership } from "./ownership.ts";
import type { Parts, Run } from "./parts.ts";
import { toManifestText, toPartText, type PartEntry } from "./records.ts";
import { toRowText } from "./row-text.ts";
import type { Rows } from "./rows.ts";

/** Writes the changes since the last checkpoint, so that the log before it can be removed. */
export interface Checkpointer {
  /**
   * Writes one checkpoint while commits continue.
   *
   * @throws {StorageError} `unavailable`, `in_use`. The previous checkpoint stays valid
   */
  run(): Promise<void>;
}

const maxConcurrency = 4;

interface Chunk extends PartEntry {
  readonly number: number;
  readonly run: Run;
  readonly json: string;
}

/**
 * Parts are copied from memory at different times, so they may contain more than the log position of the
 * manifest. Replaying log items twice is harmless, because they contain the new state of a key. So commits
 * wait at most for one part.
 *
 * @param options.partSize the size of a part, in characters of rows
 * @param options.found the items that existed when the storage was opened
 */
export function createCheckpointer(options: {
  readonly items: Items;
  readonly ownership: Ownership;
  readonly journal: Journal;
  readonly rows: Rows;
  readonly parts: Parts;
  readonly partSize: number;
  readonly found: readonly ItemName[];
  readonly onError: (error: unknown) => void;
}): Checkpointer {
  const { items, ownership, journal, rows, parts, partSize, onError } = options;
  const { session } = ownership;
  /** The items in the storage that may become obsolete. */
  let known = options.found.filter(({ kind }) => kind !== "owner" && kind !== "candidate");
  let partNumber = 0;
  let manifestNumber = 0;

  /** Yields chunks lazily, when a writer is free. */
  function* chunksOf(runs: readonly Run[]): Generator<Chunk> {
    for (const run of runs) {
      for (let from = run.from; from < run.to;) {
        const rowTexts: string[] = [];
        let size = 0;
        let next = run.to;
        rows.visit(from, run.to, (key, { text, expiresAt }) => {
          const rowText = toRowText(JSON.stringify(decodeKey(key)), text, expiresAt);
          rowTexts.push(rowText);
          size += rowText.length;
          if (size < partSize) return true;
          // The smallest key that is greater than this one.
          next = `${key}\0`;
          return false;
        });
        const number = rowTexts.length === 0 ? 0 : ++partNumber;
        const name = number === 0 ? undefined : numberedName("part", number, session);
        yield { run, from, name, number, size, json: toPartText(rowTexts) };
        from = next;
      }
    }
  }

  async function writeRuns(runs: readonly Run[]): Promise<Map<Run, PartEntry[]>> {
    const written = new Map<Run, PartEntry[]>(runs.map((run) => [run, []]));
    await mapInParallel(chunksOf(runs), maxConcurrency, async ({ run, from, name, number, size, json }) => {
      // Added synchronously, so in key order.
      written.get(run)?.push({ from, name, size });
      if (name !== undefined) await write("part", number, name, json);
    });
    return written;
  }

  async function write(kind: NumberedKind, number: number, name: string, json: string): Promise<void> {
    known.push({ name, kind, number, session });
    await items.write(name, json);
  }

  /** Removes obsolete items. Removes manifests before the items that they list. */
  async function clear(manifest: string, through: number): Promise<void> {
    const listed = new Set(parts.entries.map(({ name }) => name));
    const isNeeded = ({ kind, name, number }: ItemName): boolean => {
      if (kind === "log") return number > through;
      return kind === "part" ? listed.has(name) : name === manifest;
    };
    known.push(...journal.takeWritten());
    const obsolete = known.filter((item) => !isNeeded(item));
    known = known.filter(isNeeded);
    const manifests = obsolete.filter(({ kind }) => kind === "manifest");
    // Log items in order, so that a log whose beginning is missing never looks complete.
    const others = obsolete.filter(({ kind }) => kind !== "manifest").toSorted(compareAge);
    for (const group of [manifests, others]) {
      await mapInParallel(group, maxConcurrency, async ({ name }) => {
        // A process that has taken over may need it.
        await ownership.confirm();
        await items.remove(name);
      });
    }
  }

  return {
    async run() {
      const { position } = journal;
      if (position === undefined) return;
      const runs = parts.begin();
      const manifest = numberedName("manifest", ++manifestNumber, session);
      let next: readonly PartEntry[];
      try {
        next = parts.replace(await writeRuns(runs));
        await ownership.confirm();
        await write(
          "manifest",
          manifestNumber,
          manifest,
          toManifestText({ through: position.name, parts: next }),
        );
        await ownership.confirm();
      } catch (error) {
        parts.abandon(runs);
        throw error;
      }
      parts.finish(next);
      // Remaining items are removed after the next open.
      await clear(manifest, position.number).catch(onError);
    },
  };
}
