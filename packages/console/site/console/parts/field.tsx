import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

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
