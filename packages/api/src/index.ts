export type {
  ForeseeingRateLimiter,
  RateLimiter,
  RateLimiters,
  RateLimitVerdict,
} from "./routing/rate-limiter.ts";
export type { RequestTrace, ServedRequest, StartedRequest, TraceRequest } from "./response/served-request.ts";
export { hardenServer } from "./node-server/harden-server.ts";
export { openFilesLimit } from "./node-server/open-files-limit.ts";
export { defaultConnections } from "./node-server/server-limits.ts";
export type { HardenServerOptions } from "./node-server/server-limits.ts";
export { ApiError } from "./api-error.ts";
export type { ApiErrorCode } from "./api-error.ts";
export type { Readiness } from "./check-readiness.ts";
export { createApi } from "./create-api.ts";
export type { Api, MountableApp } from "./create-api.ts";
export type { Metrics } from "./metrics.ts";
export type { ApiOptions } from "./options.ts";
export type { SitePage, SitePageContent } from "./site-page.ts";
export { hostApiRoutes, publicApiRoutes } from "./routes/select-routes.ts";
export type { Access, DocumentedRoute, Method, Route } from "./routing/route.ts";
