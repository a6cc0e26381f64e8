import { createHookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { fillAccount } from "./busy-account.ts";

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** Fills a store as a program does: one account with data of every kind. Its deliveries are queued and not sent. */
export async function fillStore(store: Store, { secret }: { readonly secret: string }) {
  await using hookwright = await createHookwright({
    store,
    secret,
    role: "api",
    privateTargets: true,
    logger: silent,
  });
  return fillAccount(hookwright, { targetUrl: "http://127.0.0.1:1" });
}
