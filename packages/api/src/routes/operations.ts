import { success } from "../response/api-response.ts";
import { notReady } from "../response/error-response.ts";
import { defineMetricsRoute, definePublicRoute } from "../routing/define-route.ts";
import type { Route } from "../routing/route.ts";

export const healthRoutes = [
  /** Liveness: the process runs. */
  definePublicRoute("GET", "/healthz", {
    handle: async () => success({ status: "up" }),
  }),
  /** Readiness: the storage is writable and the scheduler runs. */
  definePublicRoute("GET", "/readyz", {
    handle: async ({ context: { readiness } }) => {
      const state = await readiness();
      if (!state.ready) return notReady(state.problem);
      const { warnings = [] } = state;
      return success({ status: "ready", ...(warnings.length === 0 ? {} : { warnings }) });
    },
  }),
];

/** Returns Prometheus text, so there is no envelope. Without `open`, the route needs a token. */
export function metricsRoute({ open }: { readonly open: boolean }): Route {
  const define = open ? definePublicRoute : defineMetricsRoute;
  return define("GET", "/metrics", {
    handle: async ({ context: { metrics } }) => ({
      status: 200,
      body: await metrics(),
      contentType: "text/plain; version=0.0.4; charset=utf-8",
    }),
  });
}
