/** A time in the user's time zone. The tooltip shows the exact time in UTC. */
export function Time({ at, none = "never" }: { readonly at: string | null; readonly none?: string }) {
  if (at === null) return <span class="quiet">{none}</span>;
  const date = new Date(at);
  const thisYear = date.getFullYear() === new Date().getFullYear();
  const text = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    ...(thisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(date);
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  );
}
