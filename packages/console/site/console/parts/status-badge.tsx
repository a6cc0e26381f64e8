/** The status of an HTTP answer: 2xx is good, the rest is not. */
export function StatusBadge({ status }: { readonly status: number | null }) {
  if (status === null) return <span class="badge bad">no answer</span>;
  return <span class={`badge ${status >= 200 && status < 300 ? "good" : "bad"}`}>{status}</span>;
}
