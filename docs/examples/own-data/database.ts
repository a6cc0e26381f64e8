import { mkdirSync } from "node:fs";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

export const { DATA = "./data" } = process.env;
mkdirSync(DATA, { recursive: true });

export const database = new DatabaseSync(`${DATA}/shop.db`);

// Columns for what is searched, and the whole row as JSON beside them.
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

/** Runs all of the work or nothing of it. Two transactions run one after the other. */
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

/** The ids of this shop are whole numbers. Null for any other text, which no row has as its id. */
export function toNumber(id: string): number | null {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : null;
}
