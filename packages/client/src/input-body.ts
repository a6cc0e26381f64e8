/**
 * A body as a caller may give it: what can be left out may be null as well, which the API takes for the same, and lists may
 * be read-only. So what came in an answer fits into a body.
 */
export type InputBody<Body> = {
  readonly [Field in keyof Body]: ReadonlyList<Body[Field]> | (undefined extends Body[Field] ? null : never);
};

type ReadonlyList<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
