import { parseHeaderLines } from "@hookwright/domain";
import type { HeaderLines } from "@hookwright/domain";
import { isRow } from "../api/fields.ts";
import { ownError } from "../cli-error.ts";

/**
 * Parses a headers file: header lines, with or without a request line, or a JSON object. An array in the object is a
 * repeated header.
 *
 * @throws {CliError} `wrong_usage`
 */
export function parseHeaders(text: string, file: string): HeaderLines {
  if (text.trim() === "")
    throw ownError("wrong_usage", `${file} is empty. It must contain the request headers.`);
  return text.trimStart().startsWith("{") ? parseObject(text, file) : parseLines(text, file);
}

function parseObject(text: string, file: string): HeaderLines {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw ownError("wrong_usage", `${file} begins like a JSON object, but is not JSON.`, error);
  }
  if (!isRow(content)) throw ownError("wrong_usage", `${file} must be a JSON object of headers.`);
  // A stored delivery or request has its headers below `headers`.
  const headers = isRow(content["headers"]) ? content["headers"] : content;
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as const),
  );
}

function parseLines(text: string, file: string): HeaderLines {
  const parsed = parseHeaderLines(text);
  if (parsed.ok) return parsed.headers;
  throw ownError(
    "wrong_usage",
    `${file}, line ${parsed.line} is not a header. Write one \`Name: value\` per line, or a JSON object.`,
  );
}
