import type { ErrorCode } from "@hookwright/domain";

/**
 * The error codes of the APIs: the 18 codes of the specification, `forbidden` and `internal_error`, and of the host API
 * also `invalid_state`.
 */
export type ApiErrorCode = Exclude<ErrorCode, "invalid_credentials">;

/**
 * The error codes of this client:
 *
 * - `invalid_option`: an option of the client is invalid
 * - `invalid_argument`: an argument of a call is invalid, for example an empty id
 * - `network_failure`: there was no complete response
 * - `timeout`: no complete response arrived within `timeoutMs`
 * - `aborted`: your signal aborted
 * - `unexpected_redirect`: redirects are not followed, because the key would be sent along
 * - `unexpected_answer`: the response is not from this API
 * - `response_too_large`: the response exceeds `responseLimitBytes`
 * - `unknown_code`: the API returned a code that this version does not know
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

/** A sentence, or empty, for each code if the API's message has no advice. The type requires each code of the domain. */
export type Advice = Readonly<Record<ApiErrorCode, string>>;

export const advice: Advice = {
  missing_api_key: "The client sent the key, so a proxy has removed the Authorization header.",
  invalid_api_key: "Create a new key in the developer console and pass it as apiKey.",
  account_unavailable: "Only the owner of the account can change that.",
  plan_required: "Upgrade the plan.",
  plan_limit_reached: "",
  rate_limited: "",
  not_found: "Check baseUrl: it must be the address of the API without /v1.",
  resource_not_found: "",
  unknown_event: "client.eventTypes.list() returns all events.",
  invalid_target_url: "",
  invalid_project: "client.projects.list() returns the ids.",
  invalid_list: "client.emailLists.list({ project_id }) returns the ids.",
  email_rejected: "",
  validation_failed: "",
  webhook_limit_reached: "Delete a webhook that is no longer needed.",
  invalid_cursor: "Use the same filters for all pages, or start again without a cursor.",
  console_token_expired: "Use an API key.",
  read_only_demo: "",
  forbidden: "Use a key that has the right.",
  invalid_state: "",
  internal_error: "",
};

export function isApiErrorCode(code: string): code is ApiErrorCode {
  return Object.hasOwn(advice, code);
}
