import { ChevronDown, ChevronUp } from "lucide";
import { Icon } from "../../parts/icon.tsx";

export interface DeliveryStepsProps {
  /** The delivery above it in the list. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** Buttons and keys for the deliveries above and below in the list. */
export function DeliverySteps({ previous, next, onOpen }: DeliveryStepsProps) {
  return (
    <>
      <Step name="Previous delivery" icon={ChevronUp} to={previous} shortcut="k" onOpen={onOpen} />
      <Step name="Next delivery" icon={ChevronDown} to={next} shortcut="j" onOpen={onOpen} />
    </>
  );
}

interface StepProps {
  readonly name: string;
  readonly icon: typeof ChevronUp;
  readonly to: string | undefined;
  readonly shortcut: string;
  readonly onOpen: (id: string) => void;
}

function Step({ name, icon, to, shortcut, onOpen }: StepProps) {
  return (
    <button
      type="button"
      class="button icon-only"
      aria-label={name}
      title={`${name} (${shortcut})`}
      data-shortcut={shortcut}
      disabled={to === undefined}
      onClick={() => {
        if (to !== undefined) onOpen(to);
      }}
    >
      <Icon of={icon} />
    </button>
  );
}
