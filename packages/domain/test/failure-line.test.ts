import { expect, it } from "vitest";
import { toFailureLine } from "../src/failure-line.ts";

it.each([
  ["order 8214 not found", "order # not found"],
  ["no vat_id\nat line 7", "no vat_id"],
  ['{\n  "error": "order 12",\n  "code": 7\n}', '{ "error": "order #", "code": # }'],
  ["<!DOCTYPE html>\n<html><head><title>\n502 Bad Gateway</title>", "# Bad Gateway"],
  [
    "<title>Error</title></head><body><pre>TypeError: reading &#39;vat_id&#39;<br> &nbsp; at app.js</pre>",
    "TypeError: reading 'vat_id'",
  ],
  ["<title>Error</title><p>Later</p>", "Error"],
  ["request 019a9c3f-5b2e-7c41-a0f3-9d1e6b7c8d21 of ada@example.com", "request # of …@…"],
  ["trace req_019a9c3f5b2e failed", "trace # failed"],
  ["  \n ", ""],
  ["é".repeat(300), "é".repeat(160)],
])("%j is %j", (response, line) => {
  expect(toFailureLine(response)).toBe(line);
});
