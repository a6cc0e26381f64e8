import process from "node:process";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";

const opened: typeof globalThis & { hookwright?: Promise<Hookwright> } = globalThis;

/** Opens Hookwright once per process, at the first call. A bundler may load this module twice, and a build must not open the store. */
export function hookwright(): Promise<Hookwright> {
  opened.hookwright ??= open().catch((error: unknown) => {
    delete opened.hookwright; // the next call tries again
    throw error;
  });
  return opened.hookwright;
}

async function open(): Promise<Hookwright> {
  const { HOOKWRIGHT_SECRET: secret = "", HOOKWRIGHT_HOST_TOKEN, HOOKWRIGHT_PRIVATE_TARGETS } = process.env;
  const store = await openFilesystemStore({ directory: process.env["DATA"] ?? "./data" });
  try {
    return await createHookwright({
      store,
      secret,
      basePath: "/integrations",
      hostToken: HOOKWRIGHT_HOST_TOKEN, // opens the host API, which creates accounts and keys over HTTP
      privateTargets: HOOKWRIGHT_PRIVATE_TARGETS === "allow", // permits webhooks to http: and to this machine, for trials
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}
