import { toClientNetwork } from "@hookwright/service";
import { z } from "zod";
import { checkAccount } from "../../access/check-account.ts";
import { noQuery } from "../../request/query-parameters.ts";
import { eventStream } from "../../response/event-stream.ts";
import { defineConsoleRoute } from "../../routing/define-route.ts";

export const consoleEventRoutes = [
  defineConsoleRoute({
    method: "GET",
    path: "/console/api/events",
    operationId: "streamConsoleEvents",
    summary: "Changes of deliveries and webhooks as server-sent events",
    description:
      "The data of `delivery` and `webhook` is the row that the list returns. `displaced` ends the stream, because the server gives its place to another client. `reset` says that more has changed than was sent: read the lists again. The first comment says that the stream is connected. A client that reconnects reads its lists again.",
    reads: "page",
    query: noQuery,
    answers: { 200: z.string() },
    bare: true,
    refusals: ["rate_limited"],
    handle: async ({ service, caller, token, client }) =>
      eventStream(
        await service.consoleEvents.open({
          network: toClientNetwork(client().clientAddress),
          token,
          caller,
          check: (current) => checkAccount(current, {}),
        }),
      ),
  }),
];
