import { expect, it } from "vitest";
import { mockApi } from "../src/mock-api.ts";
import { untyped } from "./support/untyped.ts";

const api = mockApi({ baseUrl: "https://api.example.com" });

it.each([
  { times: 0 },
  { times: -1 },
  { times: 1.5 },
  { times: Number.NaN },
  { times: Number.POSITIVE_INFINITY },
  { status: 200 },
  { status: 399 },
  { status: 502 },
  { status: 600 },
  { status: 422.5 },
  { retryAfterSeconds: -1 },
  { retryAfterSeconds: Number.NaN },
  { retryAfterSeconds: Number.POSITIVE_INFINITY },
  { on: untyped("GET /v1/oders") },
])("a failure with %j is rejected with the name of the option", (options) => {
  const [name] = Object.keys(options);
  expect(() => api.failNext("internal_error", options)).toThrow(
    expect.objectContaining({ code: "invalid_failure", message: expect.stringContaining(`${name}: `) }),
  );
});

it.each(["nonsense", "toString", "__proto__"])(
  "the failure %s is rejected, with or without a status",
  (code) => {
    const refusal = expect.objectContaining({
      code: "invalid_failure",
      message: expect.stringContaining(code),
    });
    expect(() => api.failNext(untyped(code))).toThrow(refusal);
    expect(() => api.failNext(untyped(code), { status: 500 })).toThrow(refusal);
  },
);

it("a rejected failure is not planned", async () => {
  expect(() => api.failNext("internal_error", { times: 0 })).toThrow("times");
  const headers = { authorization: `Bearer ${api.apiKey}` };
  expect((await api.fetch(`${api.baseUrl}/v1/me`, { headers })).status).toBe(200);
});

it.each(["invalid_credentials", "invalid_state", "network_error"] as const)("%s can be planned", (code) => {
  expect(() => api.failNext(code, { status: 400, retryAfterSeconds: 0, times: 1 })).not.toThrow();
});
