/** The result of a transition. `reason` is a sentence for an `invalid_state` error. */
export type Transition<State extends string> =
  | { readonly ok: true; readonly state: State }
  | { readonly ok: false; readonly reason: string };

/** The next state for each state and input. Missing inputs are rejected. */
export type TransitionTable<State extends string, Input extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Input, State>>>>
>;

export function followTable<State extends string, Input extends string>(
  table: TransitionTable<State, Input>,
  state: State,
  input: Input,
  refusal: (state: State, input: Input) => string,
): Transition<State> {
  const next = table[state][input];
  return next === undefined ? { ok: false, reason: refusal(state, input) } : { ok: true, state: next };
}
