import { readFileSync } from "node:fs";

export interface Procedure {
  readonly backup: string;
  readonly restore: string;
}

/**
 * The commands of the page on backups for one storage, as they are written.
 *
 * @param section its heading
 */
export function readProcedure(section: string): Procedure {
  const [backup, restore, ...more] = readBlocks("backup", section, "sh");
  if (backup === undefined || restore === undefined || more.length > 0)
    throw new Error(`The section "${section}" of the page on backups must have two blocks of commands.`);
  return { backup, restore };
}

/** The command that says what is there after a restore. */
export function readCheck(): string {
  return readBlocks("backup", "After a restore", "sh").join("\n");
}

/** The commands that install the unit, apart from the package. */
export function readUnitInstallation(): string {
  return readBlocks("install", "systemd", "sh")
    .join("\n")
    .replace(/^npm install .*$/mu, "");
}

/** The statements that give the role of a server its rights in PostgreSQL. */
export function readRights(): string {
  return readBlocks("storage", "Rights of the role", "sql").join("\n");
}

function readBlocks(page: string, section: string, language: string): string[] {
  const file = new URL(`../../../docs/operations/${page}.md`, import.meta.url);
  const [, rest = ""] = readFileSync(file, "utf8").split(new RegExp(`^##+ ${section}$`, "mu"));
  const [text = ""] = rest.split(/^##+ /mu);
  const blocks = text.matchAll(new RegExp(`^ *\`\`\`${language}\n(.*?)^ *\`\`\`$`, "gmsu"));
  return [...blocks].map(([, block = ""]) => block);
}
