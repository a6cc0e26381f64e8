import { ListFilter, X } from "lucide";
import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useState } from "preact/hooks";
import type { Query } from "../api/console-api.ts";
import { overviewPeriods, useConsole } from "../state/console-context.ts";
import { replaceQuery } from "../state/route.ts";
import { Button, Icon } from "./buttons.tsx";
import { formatTime, useTimeZone } from "./time.tsx";

export interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly problem?: ComponentChildren;
  /** The id of another element that describes it. */
  readonly describedBy?: string | undefined;
  /** Renders the control. The attributes connect it to its label, its hint and its problem. */
  readonly children: (control: {
    readonly id: string;
    readonly "aria-describedby"?: string;
    readonly "aria-invalid"?: "true";
  }) => ComponentChildren;
}

/** A form control with a label above it, and an optional hint or a problem below it. */
export function Field({ label, hint, problem, describedBy, children }: FieldProps) {
  const id = useId();
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  const described = [
    describedBy,
    problem === undefined ? undefined : problemId,
    hint === undefined ? undefined : hintId,
  ].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described.length === 0 ? {} : { "aria-describedby": described.join(" ") }),
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

export interface TextFieldProps extends Omit<FieldProps, "children"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Attributes of the input, such as its type. */
  readonly input?: JSX.IntrinsicElements["input"];
}

/** An input of one line. */
export function TextField({ value, onChange, input, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          type="text"
          {...control}
          {...input}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

export interface CheckProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly onChange: (checked: boolean) => void;
  /** The label. */
  readonly children: ComponentChildren;
}

/** A box to check, with its label beside it. */
export function Check({ checked, disabled = false, title, onChange, children }: CheckProps) {
  return (
    <label class="check" title={title}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

export interface ChoiceProps extends Omit<FieldProps, "children"> {
  readonly value: string | undefined;
  readonly choices: readonly (readonly [value: string, text: string])[];
  /** The text of the empty value. Null: there is none. @default "all" */
  readonly all?: string | null;
  /** Called with an empty text if "all" is chosen. */
  readonly onChoose: (value: string) => void;
}

/** One of several values, or all. A value that is not among the choices, such as a deleted webhook, stays visible. */
export function Choice({ value = "", choices, all = "all", onChoose, ...field }: ChoiceProps) {
  const known = value === "" || choices.some(([each]) => each === value);
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={(changed) => onChoose(changed.currentTarget.value)}>
          {all === null ? null : <option value="">{all}</option>}
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
  /** The texts by value. */
  readonly choices: Readonly<Partial<Record<Value, string>>>;
  readonly onChoose: (value: Value) => void;
}

/** One of a few values, all of them visible. */
export function Segments<Value extends string>({ label, value, choices, onChoose }: SegmentsProps<Value>) {
  const name = useId();
  const isValue = (each: string): each is Value => each in choices;
  return (
    <span class="segments" role="radiogroup" aria-label={label}>
      {Object.keys(choices)
        .filter(isValue)
        .map((each) => (
          <label key={each}>
            <input type="radio" name={name} checked={each === value} onChange={() => onChoose(each)} />
            {choices[each]}
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
  /** False for a second one on the same page, which is no landmark. @default true */
  readonly isMain?: boolean;
}

/** The search of a list. The key `/` moves the focus to the first one. */
export function SearchField({ label, text, onSearch, isMain = true }: SearchFieldProps) {
  const [typed, setTyped] = useState(text);
  useLayoutEffect(() => setTyped(text), [text]);
  return (
    <form
      class="search"
      role={isMain ? "search" : undefined}
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
      choices={overviewPeriods}
      onChoose={(chosen) => replaceQuery({ period: chosen === "24h" ? "" : chosen })}
    />
  );
}

export interface Filter {
  /** The parameter of the address. */
  readonly name: string;
  readonly title: string;
  /** Undefined: it is set elsewhere, and only shown and removed here. */
  readonly choices?: ChoiceProps["choices"] | undefined;
}

export interface FilterMenuProps {
  readonly filters: readonly Filter[];
  /** The values of the filters, and `since` and `until`, which the chart of the list sets. */
  readonly query: Query;
}

const times: readonly Filter[] = [
  { name: "since", title: "Since" },
  { name: "until", title: "Until" },
];

/** A menu that adds filters to a list, and the active ones as chips. A click on a chip removes its filter. */
export function FilterMenu({ filters, query }: FilterMenuProps) {
  const timeZone = useTimeZone();
  const choose = (name: string) => (value: string) => replaceQuery({ [name]: value });
  const active = [...filters, ...times].filter(({ name }) => query[name]);
  return (
    <>
      <button type="button" class="button" popovertarget="filters">
        <Icon of={ListFilter} />
        Filter
        {active.length === 0 ? null : <span class="count">{active.length}</span>}
      </button>
      <div id="filters" class="menu filters" popover="auto" role="group" aria-label="Filters">
        {filters.map(({ name, title, choices }) =>
          choices === undefined ? null : (
            <Choice key={name} label={title} value={query[name]} onChoose={choose(name)} choices={choices} />
          ),
        )}
      </div>
      {active.map((filter) => (
        <FilterChip key={filter.name} name={filter.name}>
          {filter.title}: {textOf(filter, query[filter.name] ?? "", timeZone)}
        </FilterChip>
      ))}
    </>
  );
}

export interface FilterChipProps {
  /** The parameter of the address. */
  readonly name: string;
  readonly children: ComponentChildren;
}

/** An active filter. A click removes it. */
export function FilterChip({ name, children }: FilterChipProps) {
  return (
    <button type="button" class="chip" onClick={() => replaceQuery({ [name]: "" })}>
      <span class="heard">Remove the filter </span>
      <span>{children}</span>
      <Icon of={X} />
    </button>
  );
}

function textOf(filter: Filter, value: string, timeZone: string | undefined): string {
  if (times.includes(filter)) return formatTime(value, timeZone);
  return filter.choices?.find(([each]) => each === value)?.[1] ?? value;
}
