import type { Operation } from "../routing/operation.ts";
import { subscribe } from "../rules/subscribe.ts";

export const subscriberOperations: readonly Operation[] = [
  {
    name: "POST /v1/subscribers",
    operationId: "subscribe",
    changes: true,
    hasBody: true,
    handle: ({ world, body }) => {
      const { subscriber, created } = subscribe(world, body);
      return { data: subscriber, created };
    },
  },
];
