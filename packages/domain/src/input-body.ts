/**
 * A body as a program may give it: what can be left out may be null as well, which counts as left out (specification, section
 * 2.1), and lists may be read-only. So what came in an answer fits into a body.
 *
 * @example
 * const body: InputBody<ContactInputBody> = { project_id: "site_1", email: "ada@example.com", name: null };
 */
export type InputBody<Body> = {
  readonly [Field in keyof Body]: ReadonlyList<Body[Field]> | (undefined extends Body[Field] ? null : never);
};

type ReadonlyList<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
