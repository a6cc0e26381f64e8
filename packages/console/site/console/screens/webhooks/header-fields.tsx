import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { ApiFailure } from "../../api/console-api.ts";
import type { FieldProblems } from "../../api/field-problems.ts";
import { Button } from "../../parts/buttons.tsx";
import { TextField } from "../../parts/fields.tsx";
import { webhookLabels } from "./webhook-fields.tsx";

/** @throws ApiFailure `validation_failed` if a name is there twice: an object of headers cannot contain it twice */
export function toHeaders(drafts: readonly HeaderDraft[]): Readonly<Record<string, string>> {
  const names = drafts.map((draft) => draft.name.trim());
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new ApiFailure("validation_failed", `headers.${twice}: is there twice`);
  return Object.fromEntries(drafts.map(({ value }, index) => [names[index] ?? "", value]));
}

/** A header as it is typed. */
export interface HeaderDraft {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

export interface HeaderFieldsProps {
  /** The names of the stored headers. The API never returns their values. */
  readonly stored: readonly string[];
  /** The headers that replace the stored ones. Undefined if those stay. */
  readonly drafts: readonly HeaderDraft[] | undefined;
  /** True if the stored headers cannot stay, because the URL has another scheme, host or port. @default false */
  readonly isOriginChanged?: boolean;
  readonly problemAt: FieldProblems["at"];
  readonly onChange: (drafts: readonly HeaderDraft[] | undefined) => void;
}

/** The server's limit (contract: Webhooks). */
const maximumHeaders = 10;

/** The stored names, each without its value. */
export const toDrafts = (names: readonly string[]): readonly HeaderDraft[] =>
  names.map((name, key) => ({ key, name, value: "" }));

/** The owner's own headers of a webhook. They are replaced as a whole, because stored values are not readable. */
export function HeaderFields({
  stored,
  drafts,
  isOriginChanged = false,
  problemAt,
  onChange,
}: HeaderFieldsProps) {
  const [hintId, problemId] = [useId(), useId()];
  const group = useRef<HTMLFieldSetElement>(null);
  /** A selector of the element that gets the focus after the next rendering. */
  const focusNext = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (focusNext.current === undefined) return;
    group.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = undefined;
  });
  const rows = drafts ?? [];
  const problem = problemAt("headers");
  function add(): void {
    const key = 1 + Math.max(-1, ...rows.map((row) => row.key));
    focusNext.current = ".header-row:last-child input";
    onChange([...rows, { key, name: "", value: "" }]);
  }
  function remove({ key }: HeaderDraft): void {
    focusNext.current = ".actions > .button";
    onChange(rows.filter((row) => row.key !== key));
  }
  function change({ key }: HeaderDraft, changed: Partial<HeaderDraft>): void {
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  }
  function toggle(): void {
    if (drafts === undefined) focusNext.current = "input[name=header-value]";
    onChange(drafts === undefined ? toDrafts(stored) : undefined);
  }
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-describedby={problem === undefined ? hintId : `${problemId} ${hintId}`}
    >
      <legend>{webhookLabels.headers}</legend>
      {problem === undefined ? null : (
        <p class="problem" id={problemId}>
          {problem}
        </p>
      )}
      <small id={hintId}>
        Every delivery carries them, for example a password for your gateway. Values are encrypted, and cannot
        be read again after saving.
      </small>
      {drafts === undefined ? <StoredHeaders names={stored} /> : null}
      {/* The element must exist before its text, because screen readers do not announce new elements. */}
      <p class={isOriginChanged ? "note warn" : "heard"} role="status">
        {isOriginChanged
          ? "The URL has another scheme, host or port. Enter the values again, because they may be secrets of the old address. Remove headers that the new address must not get."
          : ""}
      </p>
      {rows.length === 0 ? null : (
        <div class="header-rows">
          {rows.map((row, index) => (
            <HeaderRow
              key={row.key}
              row={row}
              number={index + 1}
              problem={problemAt(`headers.${row.name.trim()}`)}
              onChange={(changed) => change(row, changed)}
              onRemove={() => remove(row)}
            />
          ))}
        </div>
      )}
      <div class="actions">
        {drafts === undefined ? null : (
          <Button key="add" disabled={rows.length >= maximumHeaders} onClick={add}>
            Add header
          </Button>
        )}
        {stored.length === 0 || isOriginChanged ? null : (
          <Button key="change" onClick={toggle}>
            {drafts === undefined ? "Change headers" : "Keep the stored headers"}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

function StoredHeaders({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="names">
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code> <span class="quiet">(value hidden)</span>
        </li>
      ))}
    </ul>
  );
}

interface HeaderRowProps {
  readonly row: HeaderDraft;
  /** Its position, beginning with 1. */
  readonly number: number;
  readonly problem: string | undefined;
  readonly onChange: (changed: Partial<HeaderDraft>) => void;
  readonly onRemove: () => void;
}

function HeaderRow({ row, number, problem, onChange, onRemove }: HeaderRowProps) {
  const shared = { required: true, spellcheck: false, autoComplete: "off" } as const;
  return (
    <div class="header-row" role="group" aria-label={`Header ${number}`}>
      <TextField
        label="Header"
        problem={problem}
        input={{ ...shared, placeholder: "Authorization" }}
        value={row.name}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label="Value"
        input={{ ...shared, name: "header-value" }}
        value={row.value}
        onChange={(value) => onChange({ value })}
      />
      <Button label={`Remove header ${row.name || number}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}
