import type { ContactRepository, KeptContact } from "hookwright";
import { database, inTransaction, toNumber } from "./database.ts";

const byId = database.prepare("SELECT id, contact FROM contacts WHERE account = ? AND id = ?");
const byEmail = database.prepare(
  "SELECT id, contact FROM contacts WHERE account = ? AND site = ? AND email = ?",
);
const page = database.prepare(`
  SELECT id, contact FROM contacts
  WHERE account = :account AND id < :before AND site = ifnull(:site, site) AND email = ifnull(:email, email)
  ORDER BY id DESC LIMIT :limit`);
const save = database.prepare(`
  INSERT INTO contacts (account, site, email, contact) VALUES (?, ?, ?, ?)
  ON CONFLICT (site, email) DO UPDATE SET contact = excluded.contact RETURNING id, contact`);

export const contacts: ContactRepository = {
  get(account, id) {
    const row = byId.get(account, toNumber(id));
    return row === undefined ? undefined : toContact(row);
  },

  list(account, { project_id: site = null, email = null }, { limit, after: [before = 2 ** 53 - 1] = [] }) {
    const rows = page.all({ account, site, email, before, limit });
    return rows.map((row) => ({ position: [Number(row["id"])], row: toContact(row) }));
  },

  upsert(account, { project_id, email }, merge) {
    return inTransaction(() => {
      const row = byEmail.get(account, project_id, email);
      const stored = row === undefined ? undefined : toContact(row);
      const { fields, changed } = merge(stored); // Hookwright decides what is stored
      if (stored !== undefined && !changed) return stored;
      const now = new Date().toISOString();
      const contact = {
        project_id,
        email,
        ...fields,
        created_at: stored?.created_at ?? now,
        updated_at: now,
      };
      return toContact({ ...save.get(account, project_id, email, JSON.stringify(contact)) });
    });
  },
};

function toContact({ id, contact }: Record<string, unknown>): KeptContact {
  return { ...JSON.parse(String(contact)), id: String(id) };
}
