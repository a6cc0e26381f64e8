import type { Page, PageMeta } from "../list.ts";
import type { Answer } from "./read-answer.ts";

/**
 * Returns the `data` of a successful response. Only the envelope is checked, so fields of later API versions
 * are accepted.
 *
 * @throws ClientError `unexpected_answer`
 */
export function readData<Data extends object>(answer: Answer): Data {
  const { body } = answer;
  if (isSuccess<Data>(body) && !Array.isArray(body.data)) return body.data;
  throw answer.unexpected("JSON that is not a success of this API");
}

/** @throws ClientError `unexpected_answer` */
export function readPage<Item>(answer: Answer): Page<Item> {
  const { body } = answer;
  if (isSuccess<readonly Item[]>(body) && Array.isArray(body.data) && "meta" in body && isPageMeta(body.meta))
    return { data: body.data, meta: body.meta };
  throw answer.unexpected("JSON that is not a page of this API");
}

function isSuccess<Data>(body: object): body is { readonly success: true; readonly data: Data } {
  return (
    "success" in body &&
    body.success === true &&
    "data" in body &&
    typeof body.data === "object" &&
    body.data !== null
  );
}

function isPageMeta(meta: unknown): meta is PageMeta {
  return (
    typeof meta === "object" &&
    meta !== null &&
    "has_more" in meta &&
    "next_cursor" in meta &&
    // A page with more rows must have a cursor.
    (meta.has_more === true
      ? typeof meta.next_cursor === "string" && meta.next_cursor !== ""
      : meta.has_more === false && (meta.next_cursor === null || typeof meta.next_cursor === "string"))
  );
}
