const tones: Readonly<Record<string, string>> = {
  active: "good",
  delivered: "good",
  pending: "waiting",
  paused: "waiting",
  switched_off: "bad",
  failed: "bad",
};

/** A state as a word with a colour. */
export function Badge({ state }: { readonly state: string }) {
  return <span class={`badge ${tones[state] ?? "quiet"}`}>{state.replaceAll("_", " ")}</span>;
}
