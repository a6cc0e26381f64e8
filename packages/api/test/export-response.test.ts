import { expect, it } from "vitest";
import { exportResponse, toCsvLine } from "../src/response/export-response.ts";
import type { Export } from "../src/response/export-response.ts";

interface Row {
  readonly id: string;
  readonly note: string | null;
}

/** Pages of one row each. The second has none. */
function readPages(read: (string | undefined)[]): Export<Row>["readPage"] {
  return async (cursor) => {
    read.push(cursor);
    const number = Number(cursor ?? 0);
    const rows = number === 1 ? [] : [{ id: `dlv_${number}`, note: null }];
    const next_cursor = number === 3 ? null : String(number + 1);
    return { rows, meta: { has_more: next_cursor !== null, next_cursor } };
  };
}

async function open(format: "csv" | "ndjson", read: (string | undefined)[] = []) {
  const columns = ["id", "note"] as const;
  const { body, ...rest } = await exportResponse({
    name: "rows",
    format,
    columns,
    readPage: readPages(read),
  });
  if (!(body instanceof ReadableStream)) throw new Error("no stream");
  return { ...rest, body };
}

it("sends all pages as CSV with a heading", async () => {
  const { status, contentType, headers, body } = await open("csv");
  expect([status, contentType, headers?.["content-disposition"]]).toEqual([
    200,
    "text/csv; charset=utf-8",
    'attachment; filename="rows.csv"',
  ]);
  expect(await new Response(body).text()).toBe("id,note\r\ndlv_0,\r\ndlv_2,\r\ndlv_3,\r\n");
});

it("sends all pages as NDJSON", async () => {
  const { contentType, headers, body } = await open("ndjson");
  expect([contentType, headers?.["content-disposition"]]).toEqual([
    "application/x-ndjson",
    'attachment; filename="rows.ndjson"',
  ]);
  const lines = (await new Response(body).text()).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    ["dlv_0", "dlv_2", "dlv_3"].map((id) => ({ id, note: null })),
  );
});

it("reads the next page only when the client takes it, and none after the client has left", async () => {
  const read: (string | undefined)[] = [];
  const { body } = await open("ndjson", read);
  const reader = body.getReader();
  expect(read).toEqual([undefined]);
  await reader.read();
  expect(read).toEqual([undefined]);
  await reader.read();
  expect(read).toEqual([undefined, "1", "2"]);
  await reader.cancel();
  expect(read).toEqual([undefined, "1", "2"]);
});

it("quotes what CSV needs, and never begins a text as a formula", () => {
  expect(toCsvLine(["a,b", 'say "x"', "two\nlines", null, undefined, -3, 1.5, true, "plain"])).toBe(
    '"a,b","say ""x""","two\nlines",,,-3,1.5,true,plain\r\n',
  );
  expect(toCsvLine(["=1+1", "+1", "-1", "@a", "\tx", '=A1,"b"'])).toBe(
    `'=1+1,'+1,'-1,'@a,'\tx,"'=A1,""b"""\r\n`,
  );
  expect(toCsvLine([" =1", "\n=1", "\u00A0@a", " a"])).toBe(`' =1,"'\n=1",'\u00A0@a, a\r\n`);
});
