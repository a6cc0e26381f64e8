import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ApiFailure } from "../api/console-api.ts";
import { Button } from "./buttons.tsx";

export interface ScreenHeaderProps {
  readonly title: ComponentChildren;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** The head of a screen. It gets the focus when the screen opens, so that screen readers announce the new screen. */
export function ScreenHeader({ title, children }: ScreenHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header class="screen">
      <h1 ref={heading} tabIndex={-1} class="url">
        {title}
      </h1>
      <div class="actions">{children}</div>
    </header>
  );
}

/** Errors that a retry cannot fix. */
const permanentCodes: ReadonlySet<string> = new Set([
  "account_unavailable",
  "plan_required",
  "resource_not_found",
]);

export interface FailureNoteProps {
  readonly failure: ApiFailure | undefined;
  readonly onRetry?: () => void;
}

/** Shows the error message of the API, and a retry button if a retry makes sense. */
export function FailureNote({ failure, onRetry }: FailureNoteProps) {
  if (failure === undefined) return null;
  const { message, code } = failure;
  return (
    <div class="note bad" role="alert">
      <p>
        {message} <code>{code}</code>
      </p>
      {onRetry === undefined || permanentCodes.has(code) ? null : (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </div>
  );
}

export function Loading() {
  return (
    <p class="quiet" role="status">
      Loading …
    </p>
  );
}

/** A list of names and values. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

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
