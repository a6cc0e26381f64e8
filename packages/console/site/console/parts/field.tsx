import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** Renders the control. The attributes connect it to its label and its hint. */
  readonly children: (control: {
    readonly id: string;
    readonly "aria-describedby"?: string;
  }) => ComponentChildren;
}

/** A form control with a label above it and an optional hint below it. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(hint === undefined ? { id } : { id, "aria-describedby": hintId })}
      {hint === undefined ? null : <small id={hintId}>{hint}</small>}
    </div>
  );
}
