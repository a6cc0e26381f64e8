import { useMemo } from "preact/hooks";
import { ScreenHeader } from "../../parts/screen-header.tsx";
import { useConsole } from "../../state/console-context.ts";
import { hrefTo } from "../../state/use-route.ts";
import { useTitle } from "../../state/use-title.ts";
import { DeliverySteps } from "./delivery-steps.tsx";
import { DeliveryView } from "./delivery-view.tsx";

/** One delivery as a page, for links and for new tabs. */
export function DeliveryDetail({ id }: { readonly id: string }) {
  useTitle("Delivery");
  const { listCache } = useConsole();
  const rows = useMemo(() => listCache.listWith("console/api/deliveries", id), [id]);
  const index = rows.findIndex((row) => row.id === id);
  return (
    <>
      <p class="trail">
        <a href={hrefTo(["deliveries"])}>Deliveries</a>
      </p>
      <ScreenHeader title="Delivery">
        {index === -1 ? null : (
          <DeliverySteps
            previous={rows[index - 1]?.id}
            next={rows[index + 1]?.id}
            onOpen={(other) => location.replace(hrefTo(["deliveries", other]))}
          />
        )}
      </ScreenHeader>
      <DeliveryView id={id} />
    </>
  );
}
