import { createApi } from "@hookwright/api";
import type { Api, ApiOptions } from "@hookwright/api";
import { createRateLimiter } from "@hookwright/service";
import type { RateLimiter } from "@hookwright/service";
import type { Tracer } from "@opentelemetry/api";
import { logRequest } from "../log/log-activity.ts";
import { createTraceRequest } from "../tracing/trace-requests.ts";
import type { DeliveryParts } from "./build-delivery.ts";
import type { ServiceParts } from "./build-service.ts";
import type { Storage } from "./open-storage.ts";
import type { Setup } from "./read-setup.ts";

export interface ApiParts {
  readonly api: Api;
  /** Only the operations routes. */
  readonly admin: Api;
}

export function buildApi(
  { options, checked, metrics, logger, log, startWarnings, now }: Setup,
  { store, writeCheck, outageWatch, onError }: Storage,
  { worker, requestLog }: DeliveryParts,
  { service, relays, onFailedAuthentication }: ServiceParts,
  tracer: Tracer,
): ApiParts {
  const lowLimits = startWarnings
    .filter(({ code }) => code === "open_files_limit_low")
    .map((each) => each.message);
  const { readinessWarnings = () => [] } = options;
  const openRateLimiter = (name: string, requestsPerMinute: number): RateLimiter => {
    const onRefused = metrics.countRefusals(name);
    return createRateLimiter({ store, now, name, requestsPerMinute, onError, onRefused });
  };
  const operations: ApiOptions = {
    service,
    logger,
    now,
    hostToken: checked.hostTokens,
    onFailedAuthentication,
    metrics: {
      render: () => metrics.registry.metrics(),
      token: options.metricsToken,
      public: options.metrics === "public",
    },
    onServed: (request) => {
      metrics.onServed(request);
      if (request.status === 503) outageWatch.note();
      if (options.accessLog === true) logRequest(log, request);
    },
    readiness: async () => {
      const written = await writeCheck.check();
      if (!written.ready) return written;
      if (checked.role !== "api" && !worker.running)
        return { ready: false, problem: "The scheduler is not running." };
      // Requests are served well, so they must not go elsewhere.
      return { ready: true, warnings: [...lowLimits, ...relays.problems(), ...readinessWarnings()] };
    },
  };
  const api = createApi({
    ...operations,
    ...(options.adminListener === true ? { metrics: undefined } : {}),
    events: checked.events,
    basePath: checked.basePath,
    publicUrl: checked.publicUrl,
    headerPrefix: checked.headerPrefix,
    bodyForm: checked.bodyForm,
    routes: checked.role === "worker" ? "operations" : "all",
    pages: checked.pages,
    corsOrigins: options.corsOrigins,
    trustProxy: checked.trustProxy,
    bodyLimitBytes: options.bodyLimitBytes,
    bodyMemoryBytes: checked.bodyMemoryBytes,
    rateLimiters: {
      requests: openRateLimiter("default", checked.rateLimitPerMinute),
      console: openRateLimiter("console", checked.consoleRateLimitPerMinute),
      sends: openRateLimiter("sends", checked.sendsPerMinute),
    },
    retention: {
      days: checked.retentionDays,
      deliveries: checked.deliveriesKept,
      delivery_log_mib: checked.deliveryLogMiB,
      requests: checked.requestsKept,
      bodies: checked.keepBodies,
    },
    delivery: checked.deliveryRules,
    requestLog,
    onLogged: requestLog.add,
    traceRequest: createTraceRequest(tracer),
  });
  return { api, admin: createApi({ ...operations, routes: "operations" }) };
}
