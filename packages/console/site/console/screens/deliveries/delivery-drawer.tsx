import { ChevronDown, ChevronUp } from "lucide";
import { Drawer } from "../../parts/drawer.tsx";
import { Icon } from "../../parts/icon.tsx";
import { hrefTo } from "../../state/use-route.ts";
import { DeliveryView } from "./delivery-view.tsx";

export interface DeliveryDrawerProps {
  readonly id: string;
  /** The delivery above it in the list. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

/** One delivery beside the list that the user came from. */
export function DeliveryDrawer({ id, previous, next, onOpen, onClose }: DeliveryDrawerProps) {
  return (
    <Drawer
      title="Delivery"
      actions={
        <>
          <Step name="Previous delivery" icon={ChevronUp} to={previous} shortcut="k" onOpen={onOpen} />
          <Step name="Next delivery" icon={ChevronDown} to={next} shortcut="j" onOpen={onOpen} />
          <a class="button" href={hrefTo(["deliveries", id])}>
            Open page
          </a>
        </>
      }
      onClose={onClose}
    >
      <DeliveryView id={id} />
    </Drawer>
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
