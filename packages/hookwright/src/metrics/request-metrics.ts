import type { ServedRequest } from "@hookwright/api";
import type { FailedAuthentication } from "@hookwright/service";
import { Counter } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import { createSeriesCounter } from "./series-counter.ts";
import { SeriesHistogram } from "./series-histogram.ts";

export interface RequestMetrics {
  readonly onServed: (request: ServedRequest) => void;
  /** Counts a refused credential. */
  readonly onFailedAuthentication: (failure: FailedAuthentication) => void;
  /** Returns a function that counts a request which the limit refuses. */
  countRefusals(limit: string): () => void;
}

/** The requests of one method, route and status. */
interface RequestSeries extends Pick<ServedRequest, "method" | "status"> {
  readonly count: () => void;
  readonly addSeconds: (seconds: number) => void;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** A request is counted in the process that serves it. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry];
  /** By route. A text of all labels would be made and hashed for each request. */
  const seriesOfRoutes = new Map<string, RequestSeries[]>();
  const requests = createSeriesCounter({
    name: "hookwright_requests_total",
    help: "Requests served.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const seconds = new SeriesHistogram({
    name: "hookwright_request_duration_seconds",
    help: "Time from the head of a request to its response.",
    labelNames: ["method", "route", "status_class"],
    buckets,
    registers,
  });
  const errors = new Counter({
    name: "hookwright_request_errors_total",
    help: "Requests answered with an error, by its code.",
    labelNames: ["code"],
    registers,
  });
  const refused = new Counter({
    name: "hookwright_requests_rate_limited_total",
    help: "Requests that a rate limit of an account refused.",
    labelNames: ["limit"],
    registers,
  });
  const failed = new Counter({
    name: "hookwright_failed_authentications_total",
    help: "Passwords, codes of links and tokens that were refused.",
    labelNames: ["credential"],
    registers,
  });
  for (const credential of ["password", "console_link", "host_token", "metrics_token"] as const)
    failed.inc({ credential }, 0);

  function seriesOf(method: string, route: string, status: number): RequestSeries {
    const ofRoute = seriesOfRoutes.get(route) ?? [];
    const known = ofRoute.find((each) => each.status === status && each.method === method);
    if (known !== undefined) return known;
    const opened = {
      method,
      status,
      count: requests.open({ method, route, status }),
      addSeconds: seconds.open({ method, route, status_class: `${Math.floor(status / 100)}xx` }),
    };
    seriesOfRoutes.set(route, [...ofRoute, opened]);
    return opened;
  }

  return {
    onFailedAuthentication: ({ credential }) => failed.inc({ credential }),
    onServed({ method, route, status, errorCode, durationMs }) {
      const served = seriesOf(method, route, status);
      served.count();
      served.addSeconds(durationMs / 1_000);
      if (errorCode !== undefined) errors.inc({ code: errorCode });
    },
    countRefusals(limit) {
      refused.inc({ limit }, 0);
      return () => refused.inc({ limit });
    },
  };
}
