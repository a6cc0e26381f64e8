import { ScreenHeader } from "../../parts/screen-header.tsx";
import { hrefTo } from "../../state/use-route.ts";
import { useTitle } from "../../state/use-title.ts";
import { DeliveryView } from "./delivery-view.tsx";

/** One delivery as a page, for links and for new tabs. */
export function DeliveryDetail({ id }: { readonly id: string }) {
  useTitle("Delivery");
  return (
    <>
      <p class="trail">
        <a href={hrefTo(["deliveries"])}>Deliveries</a>
      </p>
      <ScreenHeader title="Delivery" />
      <DeliveryView id={id} />
    </>
  );
}
