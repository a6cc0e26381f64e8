import { Redis } from "ioredis";
import { Client } from "pg";

/** Deletes all data of a Redis, or the schema of a PostgreSQL. */
export async function emptyStorage(url: string): Promise<void> {
  if (url.startsWith("redis")) {
    const client = new Redis(url);
    await client.flushall();
    client.disconnect();
    return;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("drop schema if exists hookwright cascade");
  await client.end();
}
