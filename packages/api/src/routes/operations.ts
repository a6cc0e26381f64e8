import { z } from "zod";
import { success } from "../response/api-response.ts";
import { notReady } from "../response/error-response.ts";
import { noQuery } from "../request/query-parameters.ts";
import { defineMetricsRoute, definePublicRoute } from "../routing/define-route.ts";
import type { Route, RouteContext } from "../routing/route.ts";

const statusSchema = z.object({ status: z.string() });
const readinessSchema = z.object({ status: z.string(), warnings: z.array(z.string()).optional() });

export const healthRoutes = [
  definePublicRoute({
    method: "GET",
    path: "/healthz",
    operationId: "getHealth",
    summary: "Liveness: the process runs",
    query: noQuery,
    answers: { 200: statusSchema },
    handle: async () => success({ status: "up" }),
  }),
  definePublicRoute({
    method: "GET",
    path: "/readyz",
    operationId: "getReadiness",
    summary: "Readiness: the storage is writable and the scheduler runs",
    query: noQuery,
    answers: { 200: readinessSchema },
    handle: async ({ readiness }) => {
      const state = await readiness();
      if (!state.ready) return notReady(state.problem);
      const { warnings = [] } = state;
      return success({ status: "ready", ...(warnings.length === 0 ? {} : { warnings }) });
    },
  }),
];

/** Returns Prometheus text, so there is no envelope. Without `open`, the route needs a token. */
export function metricsRoute({ open }: { readonly open: boolean }): Route {
  const description = {
    method: "GET",
    path: "/metrics",
    operationId: "getMetrics",
    summary: "The metrics of the process as Prometheus text",
    query: noQuery,
    answers: { 200: z.string() },
    handle: async ({ metrics }: RouteContext) => ({
      status: 200,
      body: await metrics(),
      contentType: "text/plain; version=0.0.4; charset=utf-8",
    }),
  } as const;
  return open ? definePublicRoute(description) : defineMetricsRoute(description);
}
