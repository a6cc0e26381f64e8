import { ServerError } from "../server-error.ts";

/** A value of 16 MiB whose bytes are all six-character escapes, and its key. */
const longestLine = 100 * 1024 * 1024;

/**
 * Splits a file into lines. The last line needs no line end. Only a line feed ends a line: `node:readline` also splits
 * at U+2028, which JSON does not escape.
 *
 * @throws {ServerError} `transfer_refused` for invalid UTF-8, and for a line that is too long for a row
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
      "the file is not valid UTF-8. It was changed, or it is another file.",
      {
        cause,
      },
    );
  }
}
