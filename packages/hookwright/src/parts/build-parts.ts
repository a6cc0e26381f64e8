import { trace } from "@opentelemetry/api";
import { buildApi } from "./build-api.ts";
import type { ApiParts } from "./build-api.ts";
import { buildDelivery } from "./build-delivery.ts";
import type { DeliveryParts } from "./build-delivery.ts";
import { buildService } from "./build-service.ts";
import type { ServiceParts } from "./build-service.ts";
import { openStorage } from "./open-storage.ts";
import type { Storage } from "./open-storage.ts";
import type { Setup } from "./read-setup.ts";

/** All parts of an instance. */
export interface Parts extends Setup, Storage, DeliveryParts, ServiceParts, ApiParts {}

/**
 * Builds an instance from its storage upwards. Only the storage is in use then.
 *
 * @throws ConfigurationError `invalid_option` if the data was written with another secret
 * @throws StorageError if the store cannot be read
 */
export async function buildParts(setup: Setup): Promise<Parts> {
  // Without an OpenTelemetry SDK it does nothing.
  const tracer = trace.getTracer("hookwright");
  const storage = await openStorage(setup);
  const delivery = buildDelivery(setup, storage, tracer);
  const service = buildService(setup, storage, delivery, tracer);
  const api = buildApi(setup, storage, delivery, service, tracer);
  return { ...setup, ...storage, ...delivery, ...service, ...api };
}
