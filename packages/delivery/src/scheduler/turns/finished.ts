import type { Key } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import type { AttemptRow, DeliveryRow } from "../../rows/delivery-row.ts";
import type { Standing } from "../lanes/earned-room.ts";

/** Where in the store a queued delivery was found. */
export type QueuePlace = { readonly type: "fresh" } | { readonly type: "retry"; readonly dueAt: number };

/** Why a delivery ends without another try. */
export type CancelReason = "webhook_removed" | "webhook_not_active" | "account_not_active" | "record_deleted";

/** What came of one turn of one delivery; it becomes durable in the next commit of its partition. */
export interface Finished {
  readonly lane: LaneAddress;
  readonly place: QueuePlace;
  readonly delivery: DeliveryRow;
  /** When it ended, in milliseconds: the next try is so long after it, however long recording takes. */
  readonly endedAt: number;
  /** How its webhook stood until then, where that is known. */
  readonly standing?: Standing;
  readonly outcome:
    | { readonly type: "attempted"; readonly attempt: AttemptRow }
    | { readonly type: "cancelled"; readonly reason: CancelReason };
}

/** The entry that leaves its queue with this turn. */
export function queueKeyOf({ lane, place, delivery }: Finished): Key {
  return place.type === "fresh" ? keys.fresh(lane, delivery.id) : keys.retry(lane, place.dueAt, delivery.id);
}
