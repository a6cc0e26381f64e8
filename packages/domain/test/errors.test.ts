import { describe, expect, it } from "vitest";
import { errorCatalogue, HookwrightError, isHookwrightError, type ErrorCode } from "../src/errors.ts";

const publicStatuses = {
  invalid_cursor: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  console_token_expired: 401,
  account_unavailable: 403,
  plan_required: 403,
  plan_limit_reached: 403,
  read_only_demo: 403,
  not_found: 404,
  resource_not_found: 404,
  unknown_event: 422,
  invalid_target_url: 422,
  invalid_project: 422,
  invalid_list: 422,
  email_rejected: 422,
  validation_failed: 422,
  webhook_limit_reached: 422,
  rate_limited: 429,
};

const ownStatuses = { internal_error: 500, invalid_credentials: 401, invalid_state: 409, forbidden: 403 };

describe("the error catalogue", () => {
  it("contains exactly the 18 public codes with their statuses", () => {
    const statuses = Object.fromEntries(
      Object.entries(errorCatalogue).map(([code, { status }]) => [code, status]),
    );
    expect(statuses).toStrictEqual(publicStatuses);
    expect(Object.keys(errorCatalogue)).toHaveLength(18);
  });

  it("describes each code", () => {
    for (const { description } of Object.values(errorCatalogue)) expect(description).toMatch(/^[A-Z].+\.$/);
  });
});

describe("HookwrightError", () => {
  it.each(Object.entries({ ...publicStatuses, ...ownStatuses }))(
    "has for %s the status %i",
    (code, status) => {
      expect(new HookwrightError(code as ErrorCode, "x").status).toBe(status);
    },
  );

  it("keeps its cause and accepts another status and a waiting time", () => {
    const cause = new Error("disk");
    const error = new HookwrightError("internal_error", "Try again.", {
      status: 503,
      cause,
      retryAfterSeconds: 5,
    });
    expect(error).toMatchObject({
      code: "internal_error",
      status: 503,
      message: "Try again.",
      retryAfterSeconds: 5,
    });
    expect(error.cause).toBe(cause);
  });

  it("has no cause property if none is given", () => {
    expect("cause" in new HookwrightError("not_found", "x")).toBe(false);
  });

  it("is recognised, also from another copy of the package", () => {
    const foreign = Object.assign(new Error("x"), {
      name: "HookwrightError",
      code: "not_found",
      status: 404,
    });
    expect(isHookwrightError(new HookwrightError("not_found", "x"))).toBe(true);
    expect(isHookwrightError(foreign)).toBe(true);
    expect(isHookwrightError(new Error("x"))).toBe(false);
    expect(isHookwrightError({ name: "HookwrightError", code: "not_found", status: 404 })).toBe(false);
  });
});
