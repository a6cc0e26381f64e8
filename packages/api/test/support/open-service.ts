import type { Service, ServiceOptions } from "@hookwright/service";
import { memoryStore } from "@hookwright/storage/memory";
import { openService as openOver } from "../../../service/test/support/open-service.ts";

/** The real use cases over memory; nothing is delivered, and no fault is expected. */
export function openService({
  now = Date.now,
  ...options
}: Partial<Pick<ServiceOptions, "now" | "runAttempt">> = {}): Service {
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
