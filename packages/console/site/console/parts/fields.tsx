import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useState } from "preact/hooks";
import { overviewPeriods, useConsole } from "../state/console-context.ts";
import { replaceQuery } from "../state/route.ts";
import { Button } from "./buttons.tsx";

export interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly problem?: ComponentChildren;
  /** Renders the control. The attributes connect it to its label, its hint and its problem. */
  readonly children: (control: {
    readonly id: string;
    readonly "aria-describedby"?: string;
    readonly "aria-invalid"?: "true";
  }) => ComponentChildren;
}

/** A form control with a label above it, and an optional hint or a problem below it. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  const described = [
    ...(problem === undefined ? [] : [problemId]),
    ...(hint === undefined ? [] : [hintId]),
  ].join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described === "" ? {} : { "aria-describedby": described }),
        ...(problem === undefined ? {} : { "aria-invalid": "true" }),
      })}
      {problem === undefined ? null : (
        <p class="problem" id={problemId}>
          {problem}
        </p>
      )}
      {hint === undefined ? null : <small id={hintId}>{hint}</small>}
    </div>
  );
}

export interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [value: string, text: string])[];
  /** Called with an empty text if "all" is chosen. */
  readonly onChoose: (value: string) => void;
}

/** A filter of a list. A value that is not among the choices, such as a deleted webhook, stays visible. */
export function Choice({ label, value = "", choices, onChoose }: ChoiceProps) {
  const known = value === "" || choices.some(([each]) => each === value);
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={(changed) => onChoose(changed.currentTarget.value)}>
          <option value="">all</option>
          {known ? null : <option value={value}>{value}</option>}
          {choices.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, text: string])[];
  readonly onChoose: (value: Value) => void;
}

/** One of a few values, all of them visible. */
export function Segments<Value extends string>({ label, value, choices, onChoose }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <span class="segments" role="radiogroup" aria-label={label}>
      {choices.map(([each, text]) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === value} onChange={() => onChoose(each)} />
          {text}
        </label>
      ))}
    </span>
  );
}

export interface SearchFieldProps {
  /** What can be searched for. */
  readonly label: string;
  /** The text that is searched for now. */
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

/** The search of a list. The key `/` moves the focus to it. */
export function SearchField({ label, text, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  useLayoutEffect(() => setTyped(text), [text]);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        data-shortcut="/"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit">Search</Button>
    </form>
  );
}

/** Chooses the period of the charts. The choice is in the address. */
export function PeriodPicker() {
  const { period } = useConsole();
  return (
    <Segments
      label="Period"
      value={period}
      choices={overviewPeriods.map((each) => [each, each])}
      onChoose={(chosen) => replaceQuery({ period: chosen === "24h" ? "" : chosen })}
    />
  );
}
