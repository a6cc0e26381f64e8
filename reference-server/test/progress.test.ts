import { expect, it } from "vitest";
import { createProgress, formatBytes, formatCount } from "../src/transfer/progress.ts";

it.each([
  [0, "0 kB"],
  [1, "1 kB"],
  [12_000, "12 kB"],
  [12_345, "13 kB"],
  [1_000_000, "1.0 MB"],
  [1_234_567, "1.2 MB"],
  [4_321_000_000, "4.3 GB"],
])("%i bytes are shown as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  [0, "0"],
  [999, "999"],
  [1_234_567, "1,234,567"],
])("%i rows are shown as %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

it("progress is shown once a second, and its text is created only then", () => {
  let time = 0;
  let made = 0;
  const lines: string[] = [];
  const progress = createProgress({ complain: (text) => lines.push(text) }, () => time);
  for (; time <= 2_500; time += 100) progress.report(() => `${(made += 1)} at ${time}`);
  expect(lines).toEqual(["1 at 1000", "2 at 2000"]);
});
