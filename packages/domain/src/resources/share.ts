import { z } from "zod";
import type { DeliveryDetail } from "./delivery.ts";

/** `POST /console/api/deliveries/{id}/share`. */
export const shareInputSchema = z
  .object({
    days: z
      .int()
      .min(1)
      .max(30)
      .meta({ description: "How long the link shows the delivery, in days.", example: 7 }),
  })
  .meta({ description: "How long a delivery is shared." });
export type ShareInput = z.output<typeof shareInputSchema>;

/** A link that shows one delivery to everybody who has it. */
export interface Share {
  readonly id: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface CreatedShare extends Omit<Share, "created_at"> {
  /** A page of the console. Its token is behind the `#`, and is shown only once. */
  readonly url: string;
}

/** A delivery as a link shows it: without what belongs to others, and without secrets. See `toSharedDelivery`. */
export interface SharedDelivery extends DeliveryDetail {
  /** The end of the link. */
  readonly expires_at: string;
}
