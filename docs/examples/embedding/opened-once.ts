// lib/hookwright.ts in Next, server/lib/hookwright.ts in Nitro
import { randomBytes } from "node:crypto";
import process from "node:process";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";

const opened: typeof globalThis & { hookwright?: Promise<Hookwright> } = globalThis;

/** One for the process, opened when it is first asked for: a bundler may load this module twice, and a build must open no store. */
export function hookwright(): Promise<Hookwright> {
  opened.hookwright ??= open().catch((error: unknown) => {
    delete opened.hookwright; // the next one who asks tries again
    throw error;
  });
  return opened.hookwright;
}

async function open(): Promise<Hookwright> {
  const { HOOKWRIGHT_SECRET = randomBytes(32).toString("base64") } = process.env; // in earnest it is set, and stays the same
  return createHookwright({
    store: memoryStore(), // in earnest: await openFilesystemStore({ directory: "./data" })
    secret: HOOKWRIGHT_SECRET,
    basePath: "/integrations",
  });
}
