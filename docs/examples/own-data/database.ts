import { DatabaseSync } from "node:sqlite";

export const database = new DatabaseSync(":memory:"); // in earnest a file, or a database of another kind

// Beside what is searched for, each row holds the whole as JSON. `number` grows with every row.
database.exec(`
  CREATE TABLE contacts (
    number INTEGER PRIMARY KEY, account TEXT NOT NULL, site TEXT NOT NULL, id TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL, contact TEXT NOT NULL, UNIQUE (site, email)
  ) STRICT;
  CREATE TABLE orders (
    number INTEGER PRIMARY KEY, account TEXT NOT NULL, site TEXT NOT NULL, id TEXT NOT NULL,
    placed_at INTEGER NOT NULL, email TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (account, id)
  ) STRICT;
  CREATE TABLE posts (
    number INTEGER PRIMARY KEY, site TEXT NOT NULL, slug TEXT NOT NULL, post TEXT NOT NULL,
    UNIQUE (site, slug)
  ) STRICT;
`);

/** All of it, or nothing; two at once come one after the other. */
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
