import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createDuplicateGuard } from "../src/duplicates.ts";
import { SignatureError } from "../src/index.ts";
import type { SignatureErrorCode } from "../src/index.ts";
import { verifySync } from "../src/node.ts";
import { verify as verifyLean } from "../src/verify.ts";

/** The type requires an entry for each code. */
const statuses: Record<SignatureErrorCode, number> = {
  missing_header: 401,
  malformed_header: 401,
  timestamp_outside_tolerance: 401,
  signature_mismatch: 401,
  event_mismatch: 401,
  invalid_json: 400,
  invalid_envelope: 400,
  no_secret: 500,
  invalid_option: 500,
  body_not_raw: 500,
};
const codes: SignatureErrorCode[] = Object.keys(statuses).filter((code) => isCode(code));

function isCode(code: string): code is SignatureErrorCode {
  return code in statuses;
}

it.each(codes)("an error with the code %s has its HTTP status", (code) => {
  expect(new SignatureError(code, "")).toMatchObject({ code, status: statuses[code] });
});

it("every entry throws errors with a status", async () => {
  const noSecret = { body: "", headers: {}, secrets: "" };
  expect(() => verifySync(noSecret)).toThrow(expect.objectContaining({ status: 500 }));
  await expect(verifyLean(noSecret)).rejects.toMatchObject({ status: 500 });
  expect(() => createDuplicateGuard({ handlingSeconds: 0 })).toThrow(
    expect.objectContaining({ status: 500 }),
  );
});

it("the README lists each code with its status", () => {
  const text = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| (\d{3}) \| (.*?) \|/gmu)];
  const listed = rows.flatMap(([, status, names = ""]) =>
    [...names.matchAll(/`(\w+)`/gu)].map(([, code = ""]) => [code, Number(status)]),
  );
  expect(Object.fromEntries(listed)).toEqual(statuses);
});
