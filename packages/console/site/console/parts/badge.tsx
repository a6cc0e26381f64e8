const tones: Readonly<Record<string, string>> = {
  active: "good",
  delivered: "good",
  pending: "waiting",
  running: "waiting",
  finished: "good",
  paused: "waiting",
  switched_off: "bad",
  failed: "bad",
};

/** A state as a word with a colour. */
export function Badge({ state }: { readonly state: string }) {
  return <span class={`badge ${tones[state] ?? "quiet"}`}>{state.replaceAll("_", " ")}</span>;
}
