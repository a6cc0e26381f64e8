import { mkdirSync } from "node:fs";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

export const { DATA = "./data" } = process.env;
mkdirSync(DATA, { recursive: true });

export const database = new DatabaseSync(`${DATA}/shop.db`);

// Searched fields have columns. The whole row is stored as JSON.
database.exec(`
  CREATE TABLE IF NOT EXISTS contacts (
    id INTEGER PRIMARY KEY, account TEXT NOT NULL, site TEXT NOT NULL, email TEXT NOT NULL,
    contact TEXT NOT NULL, UNIQUE (site, email)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY, account TEXT NOT NULL, site TEXT NOT NULL, placed_at INTEGER NOT NULL,
    email TEXT NOT NULL, data TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS posts (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, slug TEXT NOT NULL, post TEXT NOT NULL,
    UNIQUE (site, slug)
  ) STRICT;
`);

/** Runs `work` in a transaction. Transactions run one after the other. */
export function inTransaction<Result>(work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Ids of this shop are integers. Returns null for any other text, which matches no row. */
export function toNumber(id: string): number | null {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : null;
}
