const classes = ["2xx", "4xx", "429", "503", "5xx", "broken"] as const;

/** Responses by their status. `broken`: the connection ended, or 30 s passed, without a complete response. */
export type Counts = Readonly<Record<"requests" | (typeof classes)[number], number>>;

/** Counts requests and their responses. */
export interface Tally {
  counts(): Counts;
  request(): void;
  /** @param status `undefined` without a response */
  response(status: number | undefined): void;
}

export function createTally(): Tally {
  const counts = { requests: 0, "2xx": 0, "4xx": 0, "429": 0, "503": 0, "5xx": 0, broken: 0 };
  return {
    counts: () => ({ ...counts }),
    request: () => void (counts.requests += 1),
    response: (status) => void (counts[classOf(status)] += 1),
  };
}

function classOf(status: number | undefined): (typeof classes)[number] {
  if (status === undefined) return "broken";
  if (status === 429 || status === 503) return `${status}`;
  if (status < 400) return "2xx";
  return status < 500 ? "4xx" : "5xx";
}
