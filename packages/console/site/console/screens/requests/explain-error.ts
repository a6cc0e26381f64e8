const explanations: Readonly<Record<string, string>> = {
  missing_api_key: "The request had no key. Send it as “Authorization: Bearer …”.",
  invalid_api_key: "The key is unknown or was revoked. Create a new one.",
  account_unavailable: "The account may not use the API at present.",
  plan_required: "The account's plan does not include this part of the API.",
  plan_limit_reached: "A limit of the account's plan is reached.",
  rate_limited: "There were too many requests. Wait as long as the header Retry-After says.",
  not_found: "No such endpoint exists. Compare the method and the path with the reference.",
  resource_not_found: "No such resource exists on this account.",
  unknown_event: "No such event exists. The page Events lists them.",
  invalid_target_url: "The URL must begin with https:// and have a public address.",
  invalid_project: "The site is not one of this account.",
  invalid_list: "The e-mail list is not one of this site.",
  email_rejected: "Nothing is sent to this e-mail address: it bounced, complained, or is a throwaway one.",
  validation_failed: "A field is missing or has a wrong value. The message of the response names it.",
  webhook_limit_reached: "The account has 50 webhooks, the maximum. Remove one first.",
  invalid_cursor: "The cursor belongs to another list or other filters. Begin again without it.",
  invalid_state: "The present status of the resource does not allow this.",
  internal_error: "The server failed. Try again. If it fails again, send the request id to the support.",
};

/** What an error code of the API means, and what to do. */
export function explainError(code: string): string {
  return explanations[code] ?? "The API reference describes this error.";
}
