import { ListFilter, X } from "lucide";
import type { Query } from "../api/console-api.ts";
import { replaceQuery } from "../state/route.ts";
import { Icon } from "./buttons.tsx";
import { Choice } from "./fields.tsx";
import type { ChoiceProps } from "./fields.tsx";
import { formatTime, useTimeZone } from "./time.tsx";

export interface Filter {
  /** The parameter of the address. */
  readonly name: string;
  readonly title: string;
  /** Undefined: it is set elsewhere, and only shown and removed here. */
  readonly choices?: ChoiceProps["choices"];
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
        <button key={filter.name} type="button" class="chip" onClick={() => choose(filter.name)("")}>
          <span class="heard">Remove the filter </span>
          <span>
            {filter.title}: {textOf(filter, query[filter.name] ?? "", timeZone)}
          </span>
          <Icon of={X} />
        </button>
      ))}
    </>
  );
}

function textOf(filter: Filter, value: string, timeZone: string | undefined): string {
  if (times.includes(filter)) return formatTime(value, timeZone);
  return filter.choices?.find(([each]) => each === value)?.[1] ?? value;
}
