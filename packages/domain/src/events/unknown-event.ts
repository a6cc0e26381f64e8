import { findNearest } from "../find-nearest.ts";
import { eventNames } from "./event-names.ts";

/** A longer text, or one without a dot, is not repeated: it may be a secret that was pasted into the wrong field. */
const nameLike = /^\w{1,40}\.\w{1,40}$/u;

/**
 * What an `unknown_event` error says about the name that was sent.
 *
 * @example
 * unknownEventProblem("order.create");
 * // "`order.create` is not a known event; did you mean `order.created`? GET /v1/event-types lists them"
 */
export function unknownEventProblem(sent: string, names: readonly string[] = eventNames): string {
  const subject = nameLike.test(sent) ? `\`${sent}\` ` : "";
  const nearest = findNearest(sent.trim(), names);
  const question = nearest === undefined ? "" : `did you mean \`${nearest}\`? `;
  return `${subject}is not a known event; ${question}GET /v1/event-types lists them`;
}
