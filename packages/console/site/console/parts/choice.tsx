import { Field } from "./field.tsx";

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
