/**
 * A request body: optional fields may also be null, which counts as omitted (specification, section 2.1), and
 * lists may be read-only. So values from responses are valid.
 *
 * @example
 * const body: InputBody<ContactInputBody> = { project_id: "site_1", email: "ada@example.com", name: null };
 */
export type InputBody<Body> = {
  readonly [Field in keyof Body]: ReadonlyList<Body[Field]> | (undefined extends Body[Field] ? null : never);
};

type ReadonlyList<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
