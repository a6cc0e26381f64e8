/** The status of an HTTP response. Only 2xx is good. */
export function StatusBadge({ status }: { readonly status: number | null }) {
  if (status === null) return <span class="badge bad">no response</span>;
  return <span class={`badge ${status >= 200 && status < 300 ? "good" : "bad"}`}>{status}</span>;
}
