import {
  noticeEndpointInputSchema,
  putNoticeEndpointSchema,
  sentNoticeSchema,
  shownNoticeEndpointSchema,
} from "@hookwright/domain";
import { z } from "zod";
import { pageQuery } from "../../request/query-parameters.ts";
import { pageSuccess, success } from "../../response/api-response.ts";
import { writtenSuccess } from "../../response/written-success.ts";
import { defineHostRoute } from "../../routing/define-route.ts";

const deletedSchema = z.object({
  url: z.string().meta({ description: "The URL.", example: "https://example.com/notices" }),
  deleted: z.literal(true).meta({ description: "Always true." }),
});

/** What the operator is told by itself. */
export const hostNoticeRoutes = [
  defineHostRoute("PUT", "/host/v1/notice-endpoint", {
    operationId: "putNoticeEndpoint",
    summary: "Set the URL that gets notices",
    description: "The URL gets notices of all accounts. The first response has its signing secret.",
    scope: "manage",
    reads: "few",
    body: { schema: noticeEndpointInputSchema },
    written: null,
    answers: { 200: putNoticeEndpointSchema, 201: putNoticeEndpointSchema },
    refusals: ["invalid_target_url"],
    handle: async ({ service, body, mayRead, origin }) => {
      const put = await service.noticeEndpoint.put(body, origin);
      return writtenSuccess({ ...put, body, schema: noticeEndpointInputSchema, mayRead });
    },
  }),
  defineHostRoute("GET", "/host/v1/notice-endpoint", {
    operationId: "getNoticeEndpoint",
    summary: "The URL that gets notices",
    scope: "read",
    reads: "few",
    answers: { 200: shownNoticeEndpointSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service }) => success(await service.noticeEndpoint.get()),
  }),
  defineHostRoute("DELETE", "/host/v1/notice-endpoint", {
    operationId: "deleteNoticeEndpoint",
    summary: "Send no more notices",
    description: "Pending ones are cancelled.",
    scope: "manage",
    reads: "few",
    answers: { 200: deletedSchema },
    refusals: ["resource_not_found"],
    handle: async ({ service, origin }) => success(await service.noticeEndpoint.remove(origin)),
  }),
  defineHostRoute("GET", "/host/v1/notices", {
    operationId: "listNotices",
    summary: "The notices of the last 30 days",
    description: "They are newest first, with the results of their deliveries.",
    scope: "read",
    reads: "page",
    query: pageQuery,
    list: true,
    answers: { 200: sentNoticeSchema },
    handle: async ({ service, query }) => pageSuccess(await service.noticeEndpoint.list(query)),
  }),
];
