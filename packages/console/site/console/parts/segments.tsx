import { useId } from "preact/hooks";

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
