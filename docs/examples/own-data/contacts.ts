import { randomUUID } from "node:crypto";
import type { ContactRepository, KeptContact } from "hookwright";
import { database, inTransaction } from "./database.ts";

const byId = database.prepare("SELECT contact FROM contacts WHERE account = ? AND id = ?");
const byEmail = database.prepare("SELECT contact FROM contacts WHERE account = ? AND site = ? AND email = ?");
const page = database.prepare(`
  SELECT number, contact FROM contacts
  WHERE account = :account AND number < :before AND site = ifnull(:site, site) AND email = ifnull(:email, email)
  ORDER BY number DESC LIMIT :limit`);
const save = database.prepare(`
  INSERT INTO contacts (account, site, id, email, contact) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (site, email) DO UPDATE SET contact = excluded.contact`);

export const contacts: ContactRepository = {
  get(account, id) {
    const row = byId.get(account, id);
    return row === undefined ? undefined : toContact(row);
  },

  list(account, { project_id: site = null, email = null }, { limit, after: [before = 2 ** 53 - 1] = [] }) {
    const rows = page.all({ account, site, email, before, limit });
    return rows.map((row) => ({ position: [Number(row["number"])], row: toContact(row) }));
  },

  upsert(account, { project_id, email }, merge) {
    return inTransaction(() => {
      const row = byEmail.get(account, project_id, email);
      const stored = row === undefined ? undefined : toContact(row);
      const { fields, changed } = merge(stored); // the rules are the API's
      if (stored !== undefined && !changed) return stored;
      const now = new Date().toISOString();
      const { id = randomUUID(), created_at = now } = stored ?? {};
      const contact = { id, project_id, email, ...fields, created_at, updated_at: now };
      save.run(account, project_id, id, email, JSON.stringify(contact));
      return contact;
    });
  },
};

function toContact(row: Record<string, unknown>): KeptContact {
  return JSON.parse(String(row["contact"]));
}
