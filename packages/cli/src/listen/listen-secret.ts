import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isRow, parseJsonText, rowOf, textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { replaceFile } from "../terminal/replace-file.ts";

/** Where a secret is kept. */
interface SecretPlace {
  /** The folder of the logins. A file of its own, because secrets outlive a login and are the same in all profiles. */
  readonly folder: string;
  readonly server: string;
  readonly account: string;
}

/**
 * The signing secret of an account on this machine, the same for every `listen`. The first call creates it.
 *
 * @throws the error of the file system, or an error that says that the file is damaged
 */
export async function findListenSecret({ folder, server, account }: SecretPlace): Promise<string> {
  const secretsFile = path.join(folder, "listen-secrets.json");
  const read = async (): Promise<Row> => {
    const text = await readFile(secretsFile, "utf8").catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return "{}";
      throw error;
    });
    const content = parseJsonText(text);
    if (isRow(content)) return content;
    // It may have the secrets of other accounts, so it is not replaced.
    throw new Error(`${secretsFile} is damaged. Delete it to get a new secret`);
  };
  const secrets = await read();
  const ofServer = rowOf(secrets, server) ?? {};
  const found = textOf(ofServer, account);
  if (found !== undefined) return found;
  const created = `whsec_${randomBytes(32).toString("base64url")}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const content = { ...secrets, [server]: { ...ofServer, [account]: created } };
  await replaceFile(secretsFile, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  // Of two commands that start at once, the last one wins.
  return textOf(rowOf(await read(), server) ?? {}, account) ?? created;
}
