import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { body, deliver } from "./deliver.ts";
import { readGuide } from "./read-guide.ts";
import type { GuideBlock } from "./read-guide.ts";

/** The code blocks of the receiving guide. */
export const blocks = readGuide(new URL("../../guide/receiving.md", import.meta.url));

/** Returns the block that shows a file of `docs/examples/receiving`. */
export function findBlock(name: string): GuideBlock {
  const block = blocks.find(({ file }) => file === `docs/examples/receiving/${name}`);
  if (block === undefined) throw new Error(`the guide does not show ${name}`);
  return block;
}

/** Writes a file of a project, with its folders. */
export async function save(folder: string, place: string, text: string): Promise<void> {
  const file = path.join(folder, place);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** What a receiver must answer to `tryReceiver`. */
export const expectedStatuses = [204, 204, 401, 400];

/** Returns the statuses for a test, an event, a changed body, and a signed body that is not an event. */
export async function tryReceiver(origin: string): Promise<readonly number[]> {
  const url = `${origin}/webhooks`;
  return [
    await deliver(fetch, url, { test: true }),
    await deliver(fetch, url),
    await deliver(fetch, url, { sent: `${body} ` }),
    await deliver(fetch, url, { signed: "{}" }),
  ];
}
