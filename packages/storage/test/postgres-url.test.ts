import { expect, it } from "vitest";
import { openPostgresStore, parsePostgresUrl } from "@hookwright/storage/postgres";

it("reads the schema, and leaves the other parameters to pg", () => {
  expect(parsePostgresUrl("postgres://app:p%40ss@db.example:6432/shop?sslmode=require&schema=hooks")).toEqual(
    {
      connectionString: "postgres://app:p%40ss@localhost/shop?sslmode=verify-full&host=db.example&port=6432",
      connectionStrings: [
        "postgres://app:p%40ss@localhost/shop?sslmode=verify-full&host=db.example&port=6432",
      ],
      needsWritable: false,
      schema: "hooks",
      serverAddress: "db.example:6432/shop",
    },
  );
});

it("reads several hosts, from the authority or from the parameters", () => {
  const urls = [
    "postgres://app:pw@db-1,db-2:6432,[::1]:5433/shop",
    "postgres://app:pw@/shop?host=db-1,db-2,[::1]&port=5432,6432,5433",
  ];
  for (const url of urls)
    expect(parsePostgresUrl(url)).toMatchObject({
      needsWritable: true,
      serverAddress: expect.stringMatching(/^db-1:5432,db-2:6432,\[::1\]:5433\/shop$/u),
      connectionStrings: [
        expect.stringMatching(/^postgres:\/\/app:pw@localhost\/shop\?host=db-1(?:&port=5432)?$/u),
        "postgres://app:pw@localhost/shop?host=db-2&port=6432",
        "postgres://app:pw@localhost/shop?host=%3A%3A1&port=5433",
      ],
    });
  expect(parsePostgresUrl("postgres://db-1,db-2/shop?target_session_attrs=any").needsWritable).toBe(false);
  expect(parsePostgresUrl("postgres://db/shop?target_session_attrs=read-write").needsWritable).toBe(true);
});

it.each([
  ["postgresql://127.0.0.1/shop", "127.0.0.1:5432/shop"],
  ["postgres://[::1]:6432/shop", "[::1]:6432/shop"],
  ["postgres://app@db/shop", "db:5432/shop"],
  ["postgres:///shop", "localhost:5432/shop"],
  ["postgres://app:pw@/shop", "localhost:5432/shop"],
])("accepts %s", (url, serverAddress) => {
  expect(parsePostgresUrl(url)).toMatchObject({ connectionString: url, schema: undefined, serverAddress });
});

it.each([
  "",
  "postgres:",
  "mysql://127.0.0.1/shop",
  "127.0.0.1:5432",
  "postgres://127.0.0.1:99999/shop",
  "postgres://app:100%@127.0.0.1/shop",
  "postgres://127.0.0.1/shop#1",
  "postgres://db-1,,db-2/shop",
  "postgres://db-1,db-2:x/shop",
  "postgres://app:p/w@db/shop",
  "postgres://[::1/shop",
  "postgres:///shop?host=db-1,db-2,db-3&port=1,2",
  "postgres://db-1,db-2/shop?target_session_attrs=standby",
])("the address %j is invalid", async (url) => {
  await expect(openPostgresStore({ url })).rejects.toMatchObject({ code: "invalid_argument" });
});

it.each(["", "Shop", "1shop", "pg_shop", "a-b", "a;drop", "x".repeat(41)])(
  "the schema %j is invalid",
  async (schema) => {
    const opening = openPostgresStore({ url: "postgres://127.0.0.1/shop", schema });
    await expect(opening).rejects.toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining(JSON.stringify(schema)),
    });
  },
);

it("a pool of another library is rejected", async () => {
  await expect(openPostgresStore({ pool: Object.create(null) })).rejects.toMatchObject({
    code: "invalid_argument",
  });
});
