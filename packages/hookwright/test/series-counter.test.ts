import { Registry } from "@prometheus-io/client";
import { expect, it } from "vitest";
import { createSeriesCounter } from "../src/metrics/series-counter.ts";

it("shows what was counted at each scrape, once", async () => {
  const registry = new Registry();
  const counter = createSeriesCounter({
    name: "attempts_total",
    help: "Attempts.",
    labelNames: ["result"],
    registers: [registry],
  });
  const countAccepted = counter.open({ result: "accepted" });
  counter.open({ result: "failed" });
  countAccepted();
  countAccepted();
  expect(await registry.metrics()).toContain('attempts_total{result="accepted"} 2');
  expect(await registry.metrics()).toContain('attempts_total{result="accepted"} 2');
  countAccepted();
  expect(await registry.metrics()).toContain('attempts_total{result="accepted"} 3');
  expect(await registry.metrics()).not.toContain("failed");
});
