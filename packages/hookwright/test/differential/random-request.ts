import * as fc from "fast-check";

/** One request. In all of its texts `~wh.0~` is the first webhook that was answered, `~cursor.3~` the fourth cursor. */
export interface RandomRequest {
  readonly type: "request";
  /** `"GET /v1/orders?limit=2"` */
  readonly target: string;
  /** Sent as a bearer token; none where it is empty. */
  readonly token: string;
  readonly json?: unknown;
  /** Which of the processes over one storage is request. */
  readonly process: number;
}

/** The clock goes on. */
export interface ClockAdvance {
  readonly type: "advance";
  readonly ms: number;
}

export const hostToken = "the host's token";

/** Rarely something else. */
export function mostly<Good, Bad>(
  good: fc.Arbitrary<Good>,
  bad: fc.Arbitrary<Bad>,
  weight = 12,
): fc.Arbitrary<Good | Bad> {
  return fc.oneof({ weight, arbitrary: good }, { weight: 1, arbitrary: bad });
}

/** One of a few that were answered. */
export function known(kind: string): fc.Arbitrary<string> {
  return fc.nat(20).map((index) => `~${kind}.${index}~`);
}

type Model = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const wrongType = fc.constantFrom<unknown>(undefined, null, "", 1, -0.5, true, [], {}, [1], ["x"], { a: 1 });

/** A body: the first fields are in it, the others may be, and each of them may be anything. */
export function body(required: Model, optional: Model = {}): fc.Arbitrary<unknown> {
  const fields = [
    ...Object.entries(required).map(([name, value]) => [name, mostly(value, wrongType, 20)] as const),
    ...Object.entries(optional).map(
      ([name, value]) => [name, fc.option(mostly(value, wrongType, 20), { nil: undefined })] as const,
    ),
  ];
  return fc.record(Object.fromEntries(fields));
}

/** A query with some of the parameters, or without any. */
export function query(model: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  const parameters = Object.entries(model).map(
    ([name, value]) => [name, fc.option(value, { nil: undefined, freq: 2 })] as const,
  );
  return fc.record(Object.fromEntries(parameters)).map((chosen) => {
    const given = Object.entries(chosen).filter(([, value]) => value !== undefined);
    const pairs = given.map(([name, value]) => `${name}=${toUrlText(String(value))}`);
    return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  });
}

/** References stay readable: none of their characters is encoded. */
export function toUrlText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

export interface RequestParts {
  readonly target: string | fc.Arbitrary<string>;
  readonly token: string | fc.Arbitrary<string>;
  readonly json?: unknown;
}

export function ask({ target, token, json }: RequestParts): fc.Arbitrary<RandomRequest> {
  return fc.record({
    type: fc.constant("request"),
    target: toArbitrary(target),
    token: toArbitrary(token),
    json: toArbitrary(json),
    process: fc.nat(1),
  });
}

function toArbitrary<Value>(value: Value | fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return value instanceof fc.Arbitrary ? value : fc.constant(value);
}
