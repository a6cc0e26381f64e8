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

/** Writes what has changed since the last checkpoint, so that the log before it can go. */
export interface Checkpointer {
  /**
   * Writes one checkpoint, while commits go on.
   *
   * @throws {StorageError} `unavailable`, `in_use`: the checkpoint before it stays in force
   */
  run(): Promise<void>;
}

const callsAtOnce = 4;

interface Chunk extends PartEntry {
  readonly number: number;
  readonly run: Run;
  readonly json: string;
}

/**
 * Each part is taken from memory at a moment of its own, and so may hold more than the log position which the manifest
 * names. That is no harm: log items say what a key holds, not what is done to it, and replaying some of them twice ends
 * where replaying them once does. So nothing has to stand still, and no pause is longer than one part.
 *
 * @param options.partSize characters of rows in a part
 * @param options.found every item that was there when the storage was opened
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
  /** What lies in the storage, and may become superfluous. */
  let known = options.found.filter(({ kind }) => kind !== "owner" && kind !== "candidate");
  let partNumber = 0;
  let manifestNumber = 0;

  /** Makes chunks one by one, each when there is somebody to write it. */
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
          // The least that is greater than this key.
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
    await mapInParallel(chunksOf(runs), callsAtOnce, async ({ run, from, name, number, size, json }) => {
      // In the turn in which the chunk is made, so in the order of the keys.
      written.get(run)?.push({ from, name, size });
      if (name !== undefined) await write("part", number, name, json);
    });
    return written;
  }

  async function write(kind: NumberedKind, number: number, name: string, json: string): Promise<void> {
    known.push({ name, kind, number, session });
    await items.write(name, json);
  }

  /** Removes what a manifest has made superfluous, manifests before the items which they list. */
  async function clear(manifest: string, through: number): Promise<void> {
    const listed = new Set(parts.entries.map(({ name }) => name));
    const isNeeded = ({ kind, name, number }: ItemName): boolean => {
      if (kind === "log") return number > through;
      return kind === "part" ? listed.has(name) : name === manifest;
    };
    known.push(...journal.takeWritten());
    const superfluous = known.filter((item) => !isNeeded(item));
    known = known.filter(isNeeded);
    const manifests = superfluous.filter(({ kind }) => kind === "manifest");
    // Logs in their order: where the first is gone, nobody takes the rest for a whole log.
    const others = superfluous.filter(({ kind }) => kind !== "manifest").toSorted(compareAge);
    for (const group of [manifests, others]) {
      await mapInParallel(group, callsAtOnce, async ({ name }) => {
        // Whoever has taken over may need it.
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
      // What is left behind is found and removed after the next open.
      await clear(manifest, position.number).catch(onError);
    },
  };
}
