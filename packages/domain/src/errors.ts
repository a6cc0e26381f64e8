interface ErrorEntry {
  readonly status: number;
  readonly description: string;
}

/**
 * The 18 codes of the specification (section 7) and their HTTP statuses. Clients branch on `code`, so keys of
 * this table never change.
 */
export const errorCatalogue = {
  missing_api_key: { status: 401, description: "No key was sent." },
  invalid_api_key: { status: 401, description: "The key is unknown or revoked, or has expired." },
  account_unavailable: { status: 403, description: "The account is suspended." },
  plan_required: {
    status: 403,
    description: "The plan does not include integrations (or the CRM, for contacts).",
  },
  plan_limit_reached: {
    status: 403,
    description: "A plan limit is reached: new subscribers this month, or blog posts on a site.",
  },
  rate_limited: {
    status: 429,
    description: "Too many requests in a minute. The Retry-After response header says when to return.",
  },
  not_found: { status: 404, description: "No such endpoint." },
  resource_not_found: { status: 404, description: "No such record on the account." },
  unknown_event: { status: 422, description: "The event is not a known event." },
  invalid_target_url: {
    status: 422,
    description:
      "The webhook URL does not start with https://, is not a public address, or uses a port that is not allowed.",
  },
  invalid_project: {
    status: 422,
    description: "The webhook's project_id is not one of the account's sites.",
  },
  invalid_list: { status: 422, description: "The list_id is not one of that site's email lists." },
  email_rejected: {
    status: 422,
    description:
      "The service does not send e-mail to this address: it bounced, complained, or is a throwaway one.",
  },
  validation_failed: { status: 422, description: "A field is missing or wrong. The message says which." },
  webhook_limit_reached: { status: 422, description: "The account already has 50 webhooks." },
  invalid_cursor: { status: 400, description: "The cursor was not issued by the API for this list." },
  console_token_expired: { status: 401, description: "The developer console's temporary token has expired." },
  read_only_demo: { status: 403, description: "The demo account cannot change anything." },
} as const satisfies Record<string, ErrorEntry>;

/** The codes of the public API: the 18, and two that were added. */
export const apiErrors = {
  ...errorCatalogue,
  forbidden: {
    status: 403,
    description: "The key, the console session or the host token does not have the right for this.",
  },
  internal_error: { status: 500, description: "Something failed inside the service." },
} as const satisfies Record<string, ErrorEntry>;

/** Codes of the console and the host API. */
const additionalErrors = {
  invalid_credentials: { status: 401, description: "The e-mail address or the password is wrong." },
  invalid_state: { status: 409, description: "The change is not possible in the present state." },
} as const satisfies Record<string, ErrorEntry>;

/** Every code, with its usual status. */
export const allErrors: Readonly<Record<ErrorCode, ErrorEntry>> = { ...apiErrors, ...additionalErrors };

/** A code of the specification, or one of the four additional codes. */
export type ErrorCode = keyof typeof apiErrors | keyof typeof additionalErrors;

export interface HookwrightErrorOptions {
  /** The HTTP status, if it differs from the usual one of the code (413, 415, 503 …). */
  readonly status?: number | undefined;
  readonly cause?: unknown;
  /** Seconds for the `Retry-After` header, an integer. */
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * A rejected request, or an error that is reported to the client. `code` is stable. The client receives
 * `message`, so internal details belong in `cause`.
 *
 * @example
 * throw new HookwrightError("resource_not_found", "No such webhook on this account.");
 */
export class HookwrightError extends Error {
  override readonly name = "HookwrightError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: HookwrightErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = options.status ?? allErrors[code].status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Checks the name and shape, because a program may contain two copies of this package. */
export function isHookwrightError(error: unknown): error is HookwrightError {
  return error instanceof Error && error.name === "HookwrightError" && "code" in error && "status" in error;
}
