import type { ErrorCode } from "@hookwright/domain";

/** What the API refuses a request with: the 18 codes of its specification, and `internal_error`. */
export type ApiErrorCode = Exclude<ErrorCode, "invalid_credentials" | "invalid_state">;

/**
 * What this client itself reports:
 *
 * - `invalid_option`: an option of `createClient`
 * - `invalid_argument`: an argument of a call, such as an empty id
 * - `network_failure`: there was no answer, or it broke off
 * - `timeout`: no complete answer within `timeoutMs`
 * - `aborted`: your own signal
 * - `unexpected_redirect`: redirects are not followed, since the key would go along
 * - `unexpected_answer`: what came is no answer of this API
 * - `response_too_large`: more than `responseLimitBytes`
 * - `unknown_code`: the API refused with a code that this version does not know
 */
export type OwnErrorCode =
  | "invalid_option"
  | "invalid_argument"
  | "network_failure"
  | "timeout"
  | "aborted"
  | "unexpected_redirect"
  | "unexpected_answer"
  | "response_too_large"
  | "unknown_code";

export type ClientErrorCode = ApiErrorCode | OwnErrorCode;

/**
 * What to do about each code, where the API's own message leaves it open. The record is complete by its type, so a code
 * that is added to the domain has to be added here.
 */
const advice: Readonly<Record<ApiErrorCode, string>> = {
  missing_api_key: "The client sent the key, so a proxy on the way has removed the Authorization header.",
  invalid_api_key: "Create another key in the developer console, and give it as apiKey.",
  account_unavailable: "Only the account's owner can change that.",
  plan_required: "Only another plan helps.",
  plan_limit_reached: "",
  rate_limited: "",
  not_found: "Check baseUrl: it is the address of the API without /v1.",
  resource_not_found: "",
  unknown_event: "client.eventTypes.list() names them all.",
  invalid_target_url: "",
  invalid_project: "client.projects.list() has the ids.",
  invalid_list: "client.emailLists.list({ project_id }) has the ids.",
  email_rejected: "",
  validation_failed: "",
  webhook_limit_reached: "Delete one that is no longer needed.",
  invalid_cursor: "Keep the filters the same from page to page, or start again without a cursor.",
  console_token_expired: "Use an API key, which does not expire.",
  read_only_demo: "",
  internal_error: "",
};

export function isApiErrorCode(code: string): code is ApiErrorCode {
  return Object.hasOwn(advice, code);
}

/** A sentence, or nothing. */
export function adviceFor(code: ApiErrorCode): string {
  return advice[code];
}
