import { eventNames } from "@hookwright/domain";
import * as fc from "fast-check";
import { known, mostly } from "./random-request.ts";

const odd = fc.constantFrom(
  ...' |\t|é|e\u0301|🦄|\u0000|\u2028|ﬁ|İ|ß|__proto__|constructor|\uffff|\ufeff|\r\nX: 1|%2F|\\|"|a/b|..|\ud800|null|-1|\u{10ffff}'.split(
    "|",
  ),
);

/** Text of any kind, up to one character over the limit. */
export function text(limit: number): fc.Arbitrary<string> {
  const long = fc.constantFrom(
    "a".repeat(limit),
    "a".repeat(limit + 1),
    "中".repeat(limit),
    "\u0000".repeat(limit),
  );
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("Ada", "Bob", "News") },
    { weight: 3, arbitrary: odd },
    { weight: 1, arbitrary: long },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  );
}

/** A search text may be longer than any stored value. */
export function filter(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const long = fc.constantFrom("x".repeat(2_000), "中".repeat(620), "\u0000".repeat(930));
  return mostly(value, fc.oneof(odd, long), 6);
}

export const email = mostly(
  fc.constantFrom("ada@example.com", "Ada@Example.com", " bob@example.com", "eve+1@example.com"),
  fc.constantFrom(
    "é@bücher.example",
    "İ@example.com",
    "a/b?#%@example.com",
    "x@a.mailinator.com",
    `${"中".repeat(60)}@${"é".repeat(60)}.${"中".repeat(60)}.${"x".repeat(60)}.example`,
    "no address",
    "a@b.c\u0000",
  ),
  6,
);
export const site = mostly(
  fc.constantFrom("site_1", "site_2"),
  fc.constantFrom("site_3", "none", "é", "x".repeat(129)),
);
export const emailList = mostly(
  fc.constantFrom("list_1", "list_2", "list_3"),
  fc.constantFrom("none", "é", "x".repeat(200)),
);
export const recordId = mostly(
  fc.constantFrom("1", "2", "3", "10", "B", "_:-."),
  fc.constantFrom("x".repeat(128), "é", ".."),
);
export const event = mostly(
  fc.constantFrom(...eventNames),
  fc.constantFrom("order", "ORDER.PAID", "__proto__"),
  20,
);
export const status = mostly(fc.constantFrom("pending", "paid"), text(64));
export const number = mostly(fc.constantFrom("1", "2", "01"), text(128));
export const tags = fc.array(mostly(fc.constantFrom("vip", "VIP", " vip ", "é"), text(100), 5), {
  maxLength: 4,
});
export const targetUrl = mostly(
  fc.nat(30).map((path) => `https://hooks.example.com/${path}`),
  fc.constantFrom(
    "HTTPS://hooks.example.com:443/1",
    "https://hooks.example.com/1#x",
    "https://bücher.example",
    `https://hooks.example.com/${"x".repeat(2_022)}`,
    `https://hooks.example.com/${"x".repeat(2_023)}`,
    "http://hooks.example.com/1",
    "https://localhost",
  ),
);
export const page = {
  limit: mostly(fc.constantFrom("1", "2", "5", "100"), fc.constantFrom("0", "101", "01", "x", " 1", "９")),
  cursor: mostly(known("cursor"), fc.constantFrom("x", "~cursor.0~x", "é", "a".repeat(3_000)), 3),
};
