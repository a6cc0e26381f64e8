import { ServerError } from "../server-error.ts";

/** A value of 16 MiB, each of its bytes as an escape of six, and its key. */
const longestLine = 100 * 1024 * 1024;

/**
 * The lines of a file, each without its line end; the last one may lack it. Only a line feed ends a line: `node:readline`
 * takes U+2028 for an end too, which JSON leaves as it is.
 *
 * @throws {ServerError} `transfer_refused` for bytes that are no UTF-8, and for a line that no row can be as long as
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines = decode(decoder, chunk).split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      yield begun.length === 0 ? line : begun.join("") + line;
      begun = [];
      length = 0;
    }
    begun.push(last);
    length += last.length;
    if (length > longestLine)
      throw new ServerError("transfer_refused", "the file has a line that is longer than any row.");
  }
  const rest = begun.join("");
  if (rest !== "") yield rest;
}

function decode(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new ServerError(
      "transfer_refused",
      "the file holds bytes that are no UTF-8: it was changed, or is another file.",
      {
        cause,
      },
    );
  }
}
