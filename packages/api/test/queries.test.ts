import { describe, expect, it } from "vitest";
import { call, codeOf } from "./support/call.ts";
import { openApi } from "./support/open-api.ts";

describe("limit", () => {
  it.each([
    "0",
    "101",
    "-1",
    "+5",
    "1.5",
    "01",
    "1e2",
    "0x10",
    "ten",
    "%20",
    "5%20",
    "9".repeat(400),
    "٣",
    "1,2",
  ])("%s is refused, not clamped", async (limit) => {
    const answered = await call(await openApi(), `GET /v1/projects?limit=${limit}`);
    expect([answered.status, codeOf(answered)]).toEqual([422, "validation_failed"]);
    expect(answered.body.error?.message).toMatch(/^limit: /);
  });

  it.each(["1", "100", ""])("%s is accepted", async (limit) => {
    expect((await call(await openApi(), `GET /v1/projects?limit=${limit}`)).status).toBe(200);
  });

  it("the default is 25, also with an empty value", async () => {
    const api = await openApi();
    for (let number = 2; number <= 27; number += 1) {
      await api.options.service.projects.put(`site_${number}`, { account_id: "acc_1" });
    }
    for (const query of ["", "?", "?limit", "?limit=", "?limit=&cursor="]) {
      const { body } = await call(api, `GET /v1/projects${query}`);
      expect(body.data).toHaveLength(25);
      expect(body.meta?.has_more).toBe(true);
    }
  });
});

describe("a query parameter", () => {
  it.each(["limit=1&limit=1", "limit=1&limit=", "a=1&a=2", "cursor=&cursor=", "li%6Dit=1&limit=1"])(
    "that is repeated (%s) is refused",
    async (query) => {
      for (const path of ["/v1/projects", "/v1/me"]) {
        const answered = await call(await openApi(), `GET ${path}?${query}`);
        expect([answered.status, codeOf(answered)]).toEqual([422, "validation_failed"]);
      }
    },
  );

  it("that is repeated is named in the error, and a long name is cut at a character boundary", async () => {
    const name = `${"a".repeat(99)}🦄b`;
    const answered = await call(await openApi(), `GET /v1/me?${name}=1&${name}=2`);
    expect(answered.body.error?.message).toBe(`${"a".repeat(99)}: must be given once`);
  });

  it.each([
    "unknown=1",
    "Limit=0",
    "limit[]=0",
    "__proto__=1",
    "constructor=x&toString=y",
    "&&&",
    "=",
    "a%zz=%zz",
    "%ff=%ff",
  ])("that is unknown (%s) is ignored", async (query) => {
    expect((await call(await openApi(), `GET /v1/projects?${query}`)).status).toBe(200);
  });

  it("with a cursor that the server did not issue gets invalid_cursor", async () => {
    for (const cursor of ["x", "%20", "%ff", "%00", "y".repeat(4_000)]) {
      const answered = await call(await openApi(), `GET /v1/orders?cursor=${cursor}`);
      expect([answered.status, codeOf(answered)]).toEqual([400, "invalid_cursor"]);
    }
  });
});

it("100,000 parameters are refused quickly", async () => {
  const query = Array.from({ length: 100_000 }, (_, index) => `p${index}=1`).join("&");
  const answered = await call(await openApi(), `GET /v1/orders?${query}`);
  expect([answered.status, codeOf(answered)]).toEqual([422, "validation_failed"]);
});
