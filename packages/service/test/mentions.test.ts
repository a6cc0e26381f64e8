import { expect, it } from "vitest";
import { createMentions, isRecordOf } from "../src/jobs/erasures/mentions.ts";

const { has, redact } = createMentions("anna.o'neill+shop@example.com", ["ct_1"]);

it.each([
  ["in any case", "ANNA.O'Neill+Shop@Example.COM"],
  ["within a text", "sent by mailto:anna.o'neill+shop@example.com."],
  ["percent-encoded", "/v1/contacts/anna.o%27neill%2Bshop%40example.com"],
  ["after an escape of JSON", JSON.stringify("To\nanna.o'neill+shop@example.com\n")],
  ["after an escape of JSON within JSON", JSON.stringify(JSON.stringify("\nanna.o'neill+shop@example.com"))],
  ["at the beginning of an id", "anna.o'neill+shop@example.com-1_2"],
  ["as the id of a contact", "/v1/contacts/ct_1"],
])("an address is found %s", (_, text) => {
  expect(has(text)).toBe(true);
  expect(redact(text)).toContain("[erased]");
  expect(has(redact(text))).toBe(false);
});

it.each([
  "joanna.o'neill+shop@example.com",
  "anna.o'neill+shop@example.com.au",
  "anna.o'neill+shop@example.community",
  "anna.o'neill+shop@example.com-pany.org",
  "anna.o'neill@example.com",
])("another address is left alone: %s", (text) => {
  expect(has(text)).toBe(false);
  expect(redact(text)).toBe(text);
});

it.each([
  ["sub_anna.o'neill+shop@example.com", "sub_"],
  ["Order-7.Anna.O'Neill+Shop@example.com/2", "Order-7."],
  ["anna.o'neill+shop@example.com", undefined],
  ["gid://anna.o'neill+shop@example.com", undefined],
  ["joanna.o'neill+shop@example.com", undefined],
])("what precedes the address in the id of a record: %s", (id, prefix) => {
  expect(createMentions("anna.o'neill+shop@example.com", []).findPrefix(id)).toBe(prefix);
});

it("an address is found after a prefix that ids of the person have", () => {
  const known = createMentions("ada@example.com", [], ["sub_"]);
  expect(known.redact("order.created_sub_ada@example.com")).toBe("order.created_sub_[erased]");
  expect(known.has("mary_ada@example.com")).toBe(false);
});

it("a text that was redacted is still JSON", () => {
  const value = { note: "\nanna.o'neill+shop@example.com\t", list: ["Anna.O'Neill+Shop@example.com"] };
  expect(JSON.parse(redact(JSON.stringify(value)))).toEqual({ note: "\n[erased]\t", list: ["[erased]"] });
});

it.each([
  ["its customer", "orders", { customer: { email: "Ada@Example.com" } }, true],
  ["the address of a subscriber", "subscribers", { email: "ada@example.com" }, true],
  ["a field of a record without customer", "leads", { from: { address: "ada@example.com" } }, true],
  ["a part of a text", "leads", { text: "call ada@example.com" }, false],
  [
    "a field of a record of somebody else",
    "orders",
    { customer: { email: "b@example.com" }, cc: "ada@example.com" },
    false,
  ],
])("whose record it is, by %s", (_, kind, data, isOwn) => {
  expect(isRecordOf("ada@example.com", kind, JSON.stringify(data))).toBe(isOwn);
});
