export interface ReferenceOperation {
  /** Such as `GET /v1/orders/{id}`. */
  readonly name: string;
  /** Its id in the viewer: `tag/orders/GET/v1/orders/{id}`. */
  readonly anchor: string;
}

export interface ReferenceLinkProps {
  /** @default the reference as a whole */
  readonly operation?: ReferenceOperation | undefined;
}

/** Opens a new tab without this tab's session, because the viewer is third-party code. */
export function ReferenceLink({ operation }: ReferenceLinkProps) {
  return (
    <a
      href={operation === undefined ? "reference" : `reference#${operation.anchor}`}
      target="_blank"
      rel="noopener"
    >
      API reference
      {operation === undefined ? null : (
        <>
          : <code>{operation.name}</code>
        </>
      )}
    </a>
  );
}
