import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

export interface FilterChipProps {
  /** The filter and its value. */
  readonly children: ComponentChildren;
  readonly onRemove: () => void;
}

/** An active filter of a list. A click removes it. */
export function FilterChip({ children, onRemove }: FilterChipProps) {
  return (
    <button type="button" class="chip" onClick={onRemove}>
      <span class="heard">Remove the filter </span>
      <span>{children}</span>
      <Icon of={X} />
    </button>
  );
}
