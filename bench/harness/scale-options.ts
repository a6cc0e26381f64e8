import { oneOf, someOf, wholeNumber } from "./options.ts";

const curves = ["endpoints", "accounts", "backlog", "workers", "costs"] as const;
export type Curve = (typeof curves)[number];

export const scaleOptions = {
  only: someOf(curves, `only these: ${curves.join(", ")}`),
  storage: oneOf(["file", "redis", "postgres"], "of the first three curves"),
  rounds: wholeNumber(3, "measurements of each point"),
  deliveries: wholeNumber(10_000, "deliveries of a measurement"),
  endpoints: wholeNumber(100_000, "the most endpoints, 50 of each account"),
  accounts: wholeNumber(100_000, "the most accounts, with one endpoint each"),
  backlog: wholeNumber(1_000_000, "the most deliveries that wait during a measurement"),
  workers: wholeNumber(4, "the most workers: 1, 2 or 4"),
  waiting: wholeNumber(100_000, "deliveries that wait in each storage, for the last curve"),
};
