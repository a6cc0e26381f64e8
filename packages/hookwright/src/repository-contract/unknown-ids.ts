/**
 * Ids that a client may send, whatever form the database's ids have. Some databases throw for a text that is not a
 * number or a UUID, or parse only its beginning as a number.
 */
export const unknownIds: readonly string[] = [
  "ct_unknown",
  "0",
  "-1",
  "1e3",
  "1.5",
  "0x10",
  "9007199254740993",
  "99999999999999999999",
  "00000000-0000-4000-8000-000000000000",
  "a.b:c-d",
  "gid://shop/Order/1",
  "#1001",
  "x".repeat(128),
];
