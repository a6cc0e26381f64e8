import { BodyText } from "../../parts/body-text.tsx";
import { useConsole } from "../../state/console-context.ts";

export interface EventsFieldProps {
  readonly chosen: readonly string[];
  readonly problem: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses events, and shows a sample of the one that was chosen last. */
export function EventsField({ chosen, problem, onChange }: EventsFieldProps) {
  const { eventTypes } = useConsole();
  const sample = eventTypes.find(({ event }) => event === chosen.at(-1));
  return (
    <fieldset tabIndex={-1}>
      <legend>Events</legend>
      <div class="choices">
        {eventTypes.map(({ event, name, description }) => (
          <label key={event} class="check" title={description}>
            <input
              type="checkbox"
              checked={chosen.includes(event)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...chosen, event] : chosen.filter((each) => each !== event))
              }
            />
            <span>
              {name} <code class="quiet">{event}</code>
            </span>
          </label>
        ))}
      </div>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {sample === undefined ? null : (
        <details>
          <summary>Sample of {sample.event}</summary>
          <BodyText name={`Sample of ${sample.event}`}>{JSON.stringify(sample.sample, null, 2)}</BodyText>
        </details>
      )}
    </fieldset>
  );
}
