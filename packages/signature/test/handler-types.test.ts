import { expect, expectTypeOf, it } from "vitest";
import {
  expressHandler,
  fastifyPlugin,
  fetchHandler,
  h3Handler,
  honoHandler,
  lambdaHandler,
  nextRoute,
  nodeHandler,
} from "../src/handlers.ts";
import type { FastifyInstanceLike, HandlerOptions } from "../src/handlers.ts";
import * as handlers from "../src/handlers.ts";

interface Refund {
  readonly id: string;
  readonly amount: number;
}
type Own = { "refund.issued": Refund };

const options: HandlerOptions<Own> = {
  secrets: "whsec_test",
  onEvent(event) {
    switch (event.event) {
      case "refund.issued":
        return expectTypeOf(event.data).toEqualTypeOf<Refund>();
      case "order.paid":
        return expectTypeOf(event.data.total).toEqualTypeOf<number>();
      default:
        return expectTypeOf<"refund.issued">().not.toExtend<typeof event.event>();
    }
  },
};

it("every handler types the events that the sender has added, as verify does", () => {
  const app: FastifyInstanceLike = {
    removeAllContentTypeParsers: () => {},
    addContentTypeParser: () => {},
    post: () => {},
  };
  const created = {
    expressHandler: expressHandler<Own>(options),
    fastifyPlugin: fastifyPlugin<Own>(app, options),
    fetchHandler: fetchHandler<Own>(options),
    h3Handler: h3Handler<Own>(options),
    honoHandler: honoHandler<Own>(options),
    lambdaHandler: lambdaHandler<Own>(options),
    nextRoute: nextRoute<Own>(options),
    nodeHandler: nodeHandler<Own>(options),
  };
  const functions = Object.keys(handlers).filter((name) => name !== "SignatureError");
  expect(Object.keys(created).toSorted()).toEqual(functions.toSorted());
  // The type follows from the options, too, and without it an own event is unknown.
  expectTypeOf(expressHandler(options)).toEqualTypeOf<ReturnType<typeof expressHandler>>();
  expressHandler({
    secrets: "whsec_test",
    onEvent: ({ event }) => expectTypeOf(event).not.toEqualTypeOf<"refund.issued">(),
  });
});
