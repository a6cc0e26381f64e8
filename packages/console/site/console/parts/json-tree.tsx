/** A JSON value whose objects and arrays can be closed. */
export function JsonTree({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <div class="json-tree" role="group" aria-label={name} tabIndex={0}>
      <Branch value={value} depth={0} />
    </div>
  );
}

/** Deeper values are closed at first. */
const openDepth = 3;

function Branch({
  name,
  value,
  depth,
}: {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}) {
  const label = name === undefined ? null : <span class="json-name">{name}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <div>
        {label}
        <span class={`json-${typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0)
    return (
      <div>
        {label}
        {Array.isArray(value) ? "[]" : "{}"}
      </div>
    );
  return (
    <details open={depth < openDepth}>
      <summary>
        {label}
        <span class="quiet">{size}</span>
      </summary>
      {entries.map(([key, each]) => (
        <Branch key={key} name={key} value={each} depth={depth + 1} />
      ))}
    </details>
  );
}
