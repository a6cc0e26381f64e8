import { CopyButton } from "../../parts/copy-button.tsx";

export interface HeaderListProps {
  readonly headers: Readonly<Record<string, string>>;
  readonly caption: string;
}

/** Headers of a request or a response. */
export function HeaderList({ headers, caption }: HeaderListProps) {
  const entries = Object.entries(headers);
  return (
    <div>
      <p class="quiet">{caption}</p>
      <dl class="headers">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        <CopyButton text={entries.map(([name, value]) => `${name}: ${value}`).join("\n")}>
          Copy headers
        </CopyButton>
      </div>
    </div>
  );
}
