import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import type { DeliveryWorker } from "../../src/context.ts";
import { createService } from "../../src/create-service.ts";
import type { Repositories, ServiceOptions } from "../../src/create-service.ts";
import { createServerKeys } from "../../src/secrets/server-keys.ts";
import type { Service } from "../../src/use-cases.ts";

export interface OpenedService {
  readonly service: Service;
  /** The store below the service, without the wrapper of a test. */
  readonly store: Store;
  readonly errors: readonly unknown[];
}

/** A worker of a process that delivers nothing. */
export const idleWorker: DeliveryWorker = {
  delivers: () => false,
  offer: () => {},
  rescan: () => {},
  webhookChanged: () => {},
};

/** The use cases over memory. Nothing is delivered. */
export function openService({
  store = memoryStore(),
  wrap = (inner) => inner,
  contacts,
  orders,
  blogPosts,
  ...options
}: Partial<ServiceOptions> & Repositories & { readonly wrap?: (store: Store) => Store } = {}): OpenedService {
  const errors: unknown[] = [];
  const service = createService({
    store: wrap(store),
    serverKeys: createServerKeys({ store, secret: "a test secret of 32 characters!!" }),
    repositories: { contacts, orders, blogPosts },
    worker: idleWorker,
    testSender: { runAttempt: () => Promise.reject(new Error("nothing is sent here")) },
    targetPolicy: { privateTargets: false, trustedOrigins: [] },
    consoleTokenSeconds: 3_600,
    onError: (error) => errors.push(error),
    ...options,
  });
  return { service, store, errors };
}
