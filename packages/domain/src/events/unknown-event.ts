import { findNearest } from "../find-nearest.ts";
import { eventNames, isEventName, isOwnEventName } from "./event-names.ts";

/**
 * Returns the message of an `unknown_event` error.
 *
 * @example
 * unknownEventProblem("order.create");
 * // "`order.create` is not a known event; did you mean `order.created`? GET /v1/event-types lists them"
 */
export function unknownEventProblem(sent: string, names: readonly string[] = eventNames): string {
  if (isEventName(sent) && !names.includes(sent))
    return `\`${sent}\` is switched off on this server; GET /v1/event-types lists its events`;
  // Other texts than names and patterns are not quoted, because they may be secrets in the wrong field.
  const subject = isOwnEventName(sent.replace(/\.\*$/u, ".any")) ? `\`${sent}\` ` : "";
  const nearest = findNearest(sent.trim(), names);
  const question = nearest === undefined ? "" : `did you mean \`${nearest}\`? `;
  return `${subject}is not a known event; ${question}GET /v1/event-types lists them`;
}
