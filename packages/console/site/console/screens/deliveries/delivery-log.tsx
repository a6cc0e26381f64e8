import type { ConsoleWebhook } from "@hookwright/domain";
import { toPath } from "../../api/console-api.ts";
import { ScreenHeader } from "../../parts/page.tsx";
import { hrefTo } from "../../state/route.ts";
import { useGet } from "../../state/use-api.ts";
import { DeliveryList } from "./delivery-list.tsx";
import { toDeliveryQuery } from "./delivery-table.tsx";

const here = { segments: ["deliveries"], query: {} };

/** The delivery log. Its filters are in the address, so that a user can bookmark and share a search. */
export function DeliveryLog({ query: address }: { readonly query: Readonly<Record<string, string>> }) {
  const query = toDeliveryQuery(address);
  return (
    <>
      <ScreenHeader title="Deliveries">
        <a class="button" href={hrefTo(["deliveries", "resends"])}>
          Resends
        </a>
      </ScreenHeader>
      {query["webhook_id"] ? <UnknownWebhook id={query["webhook_id"]} /> : null}
      <DeliveryList query={query} place={here} />
    </>
  );
}

/** The list of a webhook that does not exist is empty. This says why. */
function UnknownWebhook({ id }: { readonly id: string }) {
  const { failure } = useGet<ConsoleWebhook>(toPath("webhooks", id));
  if (failure?.code !== "resource_not_found") return null;
  return (
    <p class="note warn">
      This account has no webhook <code>{id}</code>, now or in the last 30 days.{" "}
      <a href={hrefTo(["deliveries"])}>Show the deliveries of all webhooks</a>
    </p>
  );
}
