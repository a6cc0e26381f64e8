import { parseArgs } from "node:util";
import { scaleStorageNames } from "./open-scale-storage.ts";
import type { ScaleStorageName } from "./open-scale-storage.ts";

const curves = ["endpoints", "accounts", "backlog", "workers", "costs"] as const;
export type Curve = (typeof curves)[number];

export interface ScaleOptions {
  readonly curves: readonly Curve[];
  /** The storage of the curves endpoints, accounts and backlog. */
  readonly storage: ScaleStorageName;
  readonly rounds: number;
  readonly deliveries: number;
  readonly endpoints: number;
  readonly accounts: number;
  readonly backlog: number;
  readonly waiting: number;
  readonly workers: number;
}

export const usage = `npm run bench -- scale [options]

Measures the CPU time of a delivery as the number of endpoints, accounts, waiting deliveries and workers grows, and what
a record and a delivery cost on each storage. The first point of a curve is 1. A curve is flat if all its points are at most 1.3. It needs
Linux, and redis-server and PostgreSQL for the last two.

  --only A,B       only these curves: ${curves.join(", ")} (default all)
  --storage S      ${scaleStorageNames.join(", ")}: of the first three curves (default file)
  --rounds N       measurements of each point (default 3)
  --deliveries N   deliveries of a measurement (default 10000)
  --endpoints N    the most endpoints, 50 of each account (default 100000)
  --accounts N     the most accounts, with one endpoint each (default 100000)
  --backlog N      the most deliveries that wait during a measurement (default 1000000)
  --workers N      the most workers: 1, 2 or 4 (default 4)
  --waiting N      deliveries that wait in each storage, for the last curve (default 100000)`;

/** @throws Error that names the option and its valid values */
export function parseScaleOptions(args: readonly string[]): ScaleOptions {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: text(curves.join(",")),
      storage: text("file"),
      rounds: text("3"),
      deliveries: text("10000"),
      endpoints: text("100000"),
      accounts: text("100000"),
      backlog: text("1000000"),
      workers: text("4"),
      waiting: text("100000"),
    },
  });
  const chosen = new Set(values.only.split(",").map((name) => oneOf("only", name, curves)));
  return {
    curves: curves.filter((name) => chosen.has(name)),
    storage: oneOf("storage", values.storage, scaleStorageNames),
    rounds: wholeNumber("rounds", values.rounds),
    deliveries: wholeNumber("deliveries", values.deliveries),
    endpoints: wholeNumber("endpoints", values.endpoints),
    accounts: wholeNumber("accounts", values.accounts),
    backlog: wholeNumber("backlog", values.backlog),
    workers: Number(oneOf("workers", values.workers, ["1", "2", "4"])),
    waiting: wholeNumber("waiting", values.waiting),
  };
}

function wholeNumber(option: string, text: string): number {
  if (/^[1-9]\d{0,7}$/u.test(text)) return Number(text);
  throw new Error(`--${option} must be a whole number from 1 to 99999999; "${text}" is not.`);
}

function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new Error(`--${option} must be one of ${names.join(", ")}; "${text}" is not.`);
}
