import { crc32 } from "node:zlib";

export interface Frame {
  /** A PNG. All frames have the same size and the same kind of pixels. */
  readonly png: Uint8Array;
  /** How long it is shown, in milliseconds: at most 65,535. */
  readonly delayMs: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/**
 * Joins pictures to an animation that repeats for ever (PNG specification, third edition, section 11.3.6). A viewer without
 * animations shows the first one.
 *
 * @throws Error if the frames differ in size or kind, or if there are none
 */
export function writeApng(frames: readonly Frame[]): Uint8Array {
  const [first, ...others] = frames.map(({ png }) => readChunks(png));
  const header = first?.find(({ type }) => type === "IHDR")?.data;
  if (first === undefined || header === undefined) throw new Error("an animation needs at least one PNG");
  for (const chunks of others)
    if (Buffer.compare(header, chunks.find(({ type }) => type === "IHDR")?.data ?? new Uint8Array()) !== 0)
      throw new Error("all frames of an animation need the same size and kind of pixels");
  let sequence = 0;
  const parts = [first, ...others].flatMap((chunks, index): Uint8Array[] => {
    const control = numbers(sequence++, 4);
    const delay = numbers(frames[index]?.delayMs ?? 0, 2);
    // Size, no offset, the delay in thousandths of a second, and a frame that replaces the one before.
    const data = [control, header.subarray(0, 8), numbers(0, 8), delay, numbers(1_000, 2), numbers(0, 2)];
    const pixels = chunks.filter(({ type }) => type === "IDAT");
    return [
      toChunk("fcTL", Buffer.concat(data)),
      ...pixels.map((chunk) =>
        index === 0
          ? toChunk("IDAT", chunk.data)
          : toChunk("fdAT", Buffer.concat([numbers(sequence++, 4), chunk.data])),
      ),
    ];
  });
  const animation = Buffer.concat([numbers(frames.length, 4), numbers(0, 4)]);
  return Buffer.concat([
    signature,
    toChunk("IHDR", header),
    toChunk("acTL", animation),
    ...parts,
    toChunk("IEND", new Uint8Array()),
  ]);
}

function readChunks(png: Uint8Array): readonly Chunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < png.length; at += 12 + view.getUint32(at)) {
    const type = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + view.getUint32(at)) });
  }
  return chunks;
}

function toChunk(type: string, data: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([numbers(data.length, 4), named, numbers(crc32(named), 4)]);
}

/** A number in this many bytes, the most significant first. */
function numbers(value: number, bytes: number): Uint8Array {
  const data = Buffer.alloc(bytes);
  for (let at = bytes - 1, rest = value; at >= 0; at -= 1, rest = Math.floor(rest / 256))
    data[at] = rest % 256;
  return data;
}
