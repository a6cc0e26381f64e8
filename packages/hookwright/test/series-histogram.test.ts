import { Histogram, Registry } from "@prometheus-io/client";
import { beforeEach, expect, it } from "vitest";
import { SeriesHistogram } from "../src/metrics/series-histogram.ts";

const options = {
  name: "duration_seconds",
  help: "Durations.",
  labelNames: ["route", "status"] as const,
  buckets: [0.5, 1, 2],
};
const [ours, theirs] = [new Registry(), new Registry()];
const histogram = new SeriesHistogram({ ...options, labelNames: [...options.labelNames], registers: [ours] });
const reference = new Histogram({ ...options, labelNames: [...options.labelNames], registers: [theirs] });

beforeEach(() => {
  for (const registry of [ours, theirs]) registry.resetMetrics();
  for (const status of ["2xx", "4xx"]) {
    for (const value of [0.1, 0.5, 0.7, 2, 2.5]) {
      reference.observe({ route: "/v1/me", status }, value);
      histogram.open({ route: "/v1/me", status })(value);
    }
  }
});

async function valuesOf(registry: Registry): Promise<object[]> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics.flatMap(({ values }) => values.map(({ labels, value }) => ({ labels, value })));
}

it("is rendered as a histogram of the library with the same values", async () => {
  // Without a value, a series is not shown.
  histogram.open({ route: "/v1/orders", status: "2xx" });
  expect(await ours.metrics()).toBe(await theirs.metrics());
  expect(await valuesOf(ours)).toEqual(await valuesOf(theirs));
  expect(await ours.metrics()).toContain('duration_seconds_bucket{le="1",route="/v1/me",status="4xx"} 3');
});

it("is rendered like one of the library without labels, before the first value too", async () => {
  const [ourRegistry, theirRegistry] = [new Registry(), new Registry()];
  const unlabelled = { name: "delay_seconds", help: "Delays.", buckets: [0.5, 1] };
  const observe = new SeriesHistogram({ ...unlabelled, registers: [ourRegistry] }).open({});
  const library = new Histogram({ ...unlabelled, registers: [theirRegistry] });
  expect(await ourRegistry.metrics()).toBe(await theirRegistry.metrics());
  for (const value of [0.2, 3]) {
    observe(value);
    library.observe(value);
  }
  expect(await ourRegistry.metrics()).toBe(await theirRegistry.metrics());
});

it("begins again after a reset", async () => {
  ours.resetMetrics();
  expect(await ours.metrics()).not.toContain("_bucket");
  histogram.open({ route: "/v1/me", status: "2xx" })(3);
  expect(await ours.metrics()).toContain('duration_seconds_count{route="/v1/me",status="2xx"} 1');
});
