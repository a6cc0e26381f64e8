import type { ApiOptions } from "../../src/options.ts";
import { selectRoutes } from "../../src/routes/select-routes.ts";
import type { Route } from "../../src/routing/route.ts";

/** All routes but the stream of an open console, whose response does not end. */
export function selectEndingRoutes(options: ApiOptions): readonly Route[] {
  return selectRoutes(options).filter(({ path }) => path !== "/console/api/events");
}
