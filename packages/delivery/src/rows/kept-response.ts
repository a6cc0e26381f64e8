import type { HeaderList } from "../transport/header-list.ts";

/** The log keeps so much of each response body, in bytes of UTF-8. */
export const keptBodyBytes = 2_048;
/** The log keeps so many headers of each response. A line that counts those left out is one of them. */
export const keptHeaders = 32;
/** Names and values of the kept headers together, in bytes of UTF-8. */
export const keptHeaderBytes = 2_048;

/** A longer name or value is cut when a response has too many bytes of headers, so that one header does not displace the others. */
const longestCutBytes = 256;
const mark = "…";
const markBytes = 3;
/** Room for the line that counts the headers left out, whatever the number. */
const countLineBytes = 32;
/** A UTF-16 unit is at most so many bytes of UTF-8. */
const mostBytesPerUnit = 3;

/**
 * The part of a response body that the log keeps. A longer text is cut and ends with `…`. The endpoint chooses the text, and an account
 * would fill the storage with it otherwise.
 */
export function keepBody(text: string): string {
  return cut(text, keptBodyBytes);
}

/**
 * The headers of a response that the log keeps, in their order. If all of them are longer than 2 KiB together, each name and value is
 * cut to 256 bytes and ends with `…`. Headers that do not fit then are counted under the name `…`, which no header can have.
 */
export function keepHeaders(headers: HeaderList): HeaderList {
  const count = headers.length / 2;
  const isShort = isWithin(headers, keptHeaderBytes);
  if (isShort && count <= keptHeaders) return headers;
  const kept: string[] = [];
  let bytes = countLineBytes;
  for (let at = 0; at < headers.length && kept.length < (keptHeaders - 1) * 2; at += 2) {
    const [name = "", value = ""] = headers
      .slice(at, at + 2)
      .map((text) => (isShort ? text : cut(text, longestCutBytes)));
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    if (bytes > keptHeaderBytes) break;
    kept.push(name, value);
  }
  const left = count - kept.length / 2;
  if (left > 0) kept.push(mark, left === 1 ? "1 more header" : `${left} more headers`);
  return kept;
}

/** Most texts are so short that their units need not be counted as bytes. */
function isWithin(texts: readonly string[], mostBytes: number): boolean {
  let units = 0;
  for (const text of texts) units += text.length;
  if (units * mostBytesPerUnit <= mostBytes) return true;
  if (units > mostBytes) return false;
  let bytes = 0;
  for (const text of texts) bytes += Buffer.byteLength(text);
  return bytes <= mostBytes;
}

function cut(text: string, mostBytes: number): string {
  if (isWithin([text], mostBytes)) return text;
  const bytes = Buffer.from(text.slice(0, mostBytes));
  // A character that the limit cuts in two is left out.
  let end = mostBytes - markBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return bytes.toString("utf8", 0, end) + mark;
}
