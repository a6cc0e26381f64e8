import { Circle, CircleCheck } from "lucide";
import { Fragment } from "preact";
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { ApiFailure } from "../api/console-api.ts";
import { ConsoleContext } from "../state/console-context.ts";
import { useTitle } from "../state/route.ts";
import type { Resource } from "../state/use-api.ts";
import { Button, Icon } from "./buttons.tsx";

export interface ScreenHeaderProps {
  readonly title: string;
  /** The title of the tab, if it is another one. */
  readonly tab?: string;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** The head of a screen. It gets the focus when the screen opens, so that screen readers announce the new screen. */
export function ScreenHeader({ title, tab = title, children }: ScreenHeaderProps) {
  useTitle(tab, useContext(ConsoleContext)?.account?.name);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header class="screen">
      <h1 ref={heading} tabIndex={-1} class="url">
        {/* A URL breaks after its parts. */}
        {title.split(/(?<=[/?&])/u).map((part, index) => (
          <Fragment key={index}>
            {part}
            <wbr />
          </Fragment>
        ))}
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

export interface LoadingProps {
  /** The heights of what is expected, one below the other, in rem. @default a line */
  readonly rem?: number | readonly number[] | undefined;
}

/** Stands for what is still loading, in about its size, so that nothing moves when it arrives. */
export function Loading({ rem = 2 }: LoadingProps) {
  return (
    <>
      <p class="heard" role="status">
        Loading …
      </p>
      {[rem].flat().map((height, index) => (
        <div key={index} class="skeleton" style={{ height: `${height}rem` }} />
      ))}
    </>
  );
}

/** The expected height on a phone, where more lines are needed, and on a wider screen. */
export const remFor = (phone: number, wide: number): number =>
  matchMedia("(max-width: 40rem)").matches ? phone : wide;

export interface PendingProps extends LoadingProps {
  readonly of: Omit<Resource<unknown>, "show">;
}

/** What a resource shows besides its data: that it is loading, or why it failed. */
export function Pending({ of: { data, failure, reload }, rem }: PendingProps) {
  if (failure !== undefined) return <FailureNote failure={failure} onRetry={reload} />;
  return data === undefined ? <Loading rem={rem} /> : null;
}

export interface FactsProps {
  /** Values by their names. Those that are undefined are left out. */
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  readonly style?: "facts" | "headers";
}

/** A list of names and values. */
export function Facts({ facts, style = "facts" }: FactsProps) {
  return (
    <dl class={style}>
      {Object.entries(facts).map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

export interface StepProps {
  readonly isDone: boolean;
  readonly isCurrent?: boolean;
  /** Whether an icon stands for its number. */
  readonly hasIcon?: boolean;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** One of the steps of a task. */
export function Step({ isDone, isCurrent = false, hasIcon = false, title, children }: StepProps) {
  return (
    <li class={isDone ? "done" : ""} aria-current={isCurrent ? "step" : undefined}>
      {hasIcon ? <Icon of={isDone ? CircleCheck : Circle} /> : null}
      <div>
        <h3>
          {title}
          {isDone ? <span class="heard"> (done)</span> : null}
        </h3>
        {children}
      </div>
    </li>
  );
}

export interface Tab {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
  /** How many rows it has. Undefined: not known. */
  readonly count?: number | string | undefined;
}

/** Links to the parts of a screen, or to the same list with another filter. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ title, href, isCurrent, count }) => (
        <a key={title} href={href} aria-current={isCurrent ? "page" : undefined}>
          {title} {count === undefined ? null : <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}

export interface ReferenceOperation {
  /** Such as `GET /v1/orders/{id}`. */
  readonly name: string;
  /** Its id in the reference: `tag/orders/GET/v1/orders/{id}`. */
  readonly anchor: string;
}

export interface ReferenceLinkProps {
  /** @default the reference as a whole */
  readonly operation?: ReferenceOperation | undefined;
}

/** Opens a new tab, which gets the session of this one. */
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
