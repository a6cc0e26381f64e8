import type { Service, ServiceOptions } from "@hookwright/service";
import { memoryStore } from "@hookwright/storage/memory";
import { openService as openOver } from "../../../service/test/support/open-service.ts";

/** The real use cases over the memory store, without a delivery worker. A logged error fails the test. */
export function openService({
  now = Date.now,
  ...options
}: Partial<Pick<ServiceOptions, "now" | "testSender">> = {}): Service {
  const { service } = openOver({
    ...options,
    now,
    store: memoryStore({ now }),
    onError: (error) => {
      throw error;
    },
  });
  return service;
}
