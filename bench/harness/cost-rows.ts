/** What a record and a delivery cost: CPU time in milliseconds, and bytes. */
export const costNames = [
  "CPU per delivery, one account, many at once",
  "CPU per delivery, many accounts, one by one",
  "bytes per record, one account, many at once",
  "bytes per record, many accounts, one by one",
  "bytes per ended delivery, one account, many at once",
  "bytes per ended delivery, many accounts, one by one",
  "bytes per waiting delivery",
] as const;

export type Costs = Readonly<Record<(typeof costNames)[number], number>>;

/** The rows of the table of constants on the page about capacity, with a column for each storage. */
export function toCostRows(costs: readonly Costs[]): string[] {
  return costNames.map((name) => `| ${[name, ...costs.map((each) => show(name, each[name]))].join(" | ")} |`);
}

function show(name: string, value: number): string {
  return name.startsWith("CPU") ? `${value.toFixed(2)} ms` : `${(value / 1_000).toFixed(1)} KB`;
}
