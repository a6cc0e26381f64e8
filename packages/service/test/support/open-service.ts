import { randomBytes } from "node:crypto";
import { createCursorCodec } from "@hookwright/cursor";
import { createSecretBox, createSignerSource } from "@hookwright/delivery";
import { createIdSource } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { createService } from "../../src/create-service.ts";
import type { ServiceOptions } from "../../src/create-service.ts";
import type { Service } from "../../src/use-cases.ts";

const secret = "a test secret of 32 characters!!";

export interface OpenedService {
  readonly service: Service;
  /** What lies under the service, without what a test has put in between. */
  readonly store: Store;
  readonly faults: readonly unknown[];
}

/** The use cases over memory; nothing is delivered. */
export function openService({
  store = memoryStore(),
  wrap = (inner) => inner,
  ...options
}: Partial<ServiceOptions> & { readonly wrap?: (store: Store) => Store } = {}): OpenedService {
  const now = options.now ?? Date.now;
  const secretBox = createSecretBox({ secret });
  const faults: unknown[] = [];
  const service = createService({
    store: wrap(store),
    secret,
    cursors: createCursorCodec({ secret }),
    secretBox,
    targetPolicy: { privateTargets: false, trustedOrigins: [] },
    now,
    newId: createIdSource({ now, randomBytes }),
    randomBytes,
    random: () => 0.5,
    signers: createSignerSource({ secretBox }),
    runAttempt: () => Promise.reject(new Error("nothing is sent here")),
    consoleTokenSeconds: 3_600,
    onError: (error) => faults.push(error),
    scheduler: { takes: () => false, offer: () => {}, doubt: () => {}, wake: () => {} },
    ...options,
  });
  return { service, store, faults };
}
