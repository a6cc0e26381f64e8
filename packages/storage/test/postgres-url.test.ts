import { expect, it } from "vitest";
import { openPostgresStore, parsePostgresUrl } from "@hookwright/storage/postgres";

it("reads the schema, and leaves the other parameters to pg", () => {
  expect(parsePostgresUrl("postgres://app:p%40ss@db.example:6432/shop?sslmode=require&schema=hooks")).toEqual(
    {
      connectionString: "postgres://app:p%40ss@db.example:6432/shop?sslmode=require",
      schema: "hooks",
      serverAddress: "db.example:6432/shop",
    },
  );
});

it.each([
  ["postgresql://127.0.0.1/shop", "127.0.0.1:5432/shop"],
  ["postgres://[::1]:6432/shop", "[::1]:6432/shop"],
  ["postgres:///shop?host=/var/run/postgresql", "/var/run/postgresql:5432/shop"],
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
