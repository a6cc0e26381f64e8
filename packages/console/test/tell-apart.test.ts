import { expect, it } from "vitest";
import { findSharedTitles } from "../site/console/parts/tell-apart.ts";

const long = "/".padEnd(60, "x");

it.each([
  ["hosts that differ", ["https://a.example/hooks", "https://b.example/hooks"], ["/hooks"]],
  ["one host", ["https://a.example/hooks", "https://a.example/hooks"], []],
  ["paths that differ", ["https://a.example/one", "https://b.example/two"], []],
  ["no paths", ["https://a.example/", "https://b.example/"], []],
  ["ports", ["https://a.example:8443/hooks", "https://a.example/hooks"], ["/hooks"]],
  [
    "long paths that look alike",
    [`https://a.example${long}1${long}`, `https://b.example${long}2${long}`],
    [`${long.slice(0, 20)}…${long.slice(-19)}`],
  ],
])("%s", (_, urls, shared) => {
  expect([...findSharedTitles(urls.map((target_url) => ({ target_url })))]).toEqual(shared);
});

it("equal names of different hosts need the host too", () => {
  const endpoints = [
    { target_url: "https://a.example/1", name: "Shop" },
    { target_url: "https://b.example/2", name: "Shop" },
    { target_url: "https://c.example/3", name: null },
  ];
  expect([...findSharedTitles(endpoints)]).toEqual(["Shop"]);
});
