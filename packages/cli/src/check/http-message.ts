import { parseHeaderLines, parsePrintedRequest } from "@hookwright/domain";
import type { HeaderLines } from "@hookwright/domain";
import { ownError } from "../cli-error.ts";

/**
 * Parses a headers file: header lines, with or without a request line, or an object as JSON, Node or Python writes it.
 *
 * @throws {CliError} `wrong_usage`
 */
export function parseHeaders(text: string, file: string): HeaderLines {
  if (text.trim() === "")
    throw ownError("wrong_usage", `${file} is empty. It must contain the request headers.`);
  const printed = parsePrintedRequest(text);
  if (printed !== undefined) return printed.headers;
  if (text.trimStart().startsWith("{"))
    throw ownError("wrong_usage", `${file} begins like an object, but is neither JSON nor printed headers.`);
  const parsed = parseHeaderLines(text);
  if (parsed.ok) return parsed.headers;
  throw ownError(
    "wrong_usage",
    `${file}, line ${parsed.line} is not a header. Write one \`Name: value\` per line, or a JSON object.`,
  );
}
