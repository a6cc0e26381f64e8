import { Drawer } from "../../parts/drawer.tsx";
import { hrefTo } from "../../state/use-route.ts";
import { DeliverySteps } from "./delivery-steps.tsx";
import type { DeliveryStepsProps } from "./delivery-steps.tsx";
import { DeliveryView } from "./delivery-view.tsx";

export interface DeliveryDrawerProps extends DeliveryStepsProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** One delivery beside the list that the user came from. */
export function DeliveryDrawer({ id, onClose, ...steps }: DeliveryDrawerProps) {
  return (
    <Drawer
      title="Delivery"
      actions={
        <>
          <DeliverySteps {...steps} />
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
