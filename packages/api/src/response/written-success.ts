import { withoutEmpty, withoutEmptyIn } from "@hookwright/domain";
import type { z } from "zod";
import { success } from "./api-response.ts";
import type { ApiResponse } from "./api-response.ts";

export interface Written {
  /** The object as it is now. */
  readonly data: object;
  /** The field of the object that is in the path. @default "id" */
  readonly named?: "id" | "email";
  readonly created: boolean;
  /** The body of the request. */
  readonly body: unknown;
  /** The schema of the body. Unknown fields are ignored. */
  readonly schema: z.ZodObject;
  /** Whether the host token may read. */
  readonly mayRead: boolean;
}

/**
 * The response to a `PUT` of the host API: the object. A token without the scope `read` gets only what it has sent, if the object existed
 * before. Otherwise an empty body would read any object.
 */
export function writtenSuccess({ data, named = "id", created, body, schema, mayRead }: Written): ApiResponse {
  if (created || mayRead) return success(data, { created });
  const sent = fieldsOf(withoutEmptyIn(schema, withoutEmpty(body))).filter(([name]) =>
    Object.hasOwn(schema.shape, name),
  );
  return success(onlySent(data, Object.fromEntries([[named, undefined], ...sent])));
}

/** Of lists, only the elements that were sent: subscribers keep the tags that they had. */
function onlySent(value: unknown, sent: unknown): unknown {
  if (Array.isArray(value)) {
    const elements = Array.isArray(sent) ? sent.map((element) => String(element).trim()) : [];
    return value.filter((element) => elements.includes(String(element)));
  }
  if (typeof value !== "object" || value === null) return value;
  const names = new Map(fieldsOf(sent));
  const shown = fieldsOf(value).filter(([name]) => names.has(name));
  return Object.fromEntries(shown.map(([name, field]) => [name, onlySent(field, names.get(name))]));
}

function fieldsOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
