import { eventNames } from "@hookwright/domain";
import * as fc from "fast-check";
import { ask, body, known, mostly, query } from "./random-request.ts";
import type { RequestParts } from "./random-request.ts";
import { event, filter, page, recordId, site, targetUrl, text } from "./values.ts";

const token = mostly(fc.constant("~hwc.0~"), fc.constantFrom("~hwk.0~", "hwc_unknown", ""), 30);

const request = (parts: Omit<RequestParts, "token">) => ask({ token, ...parts });
const get = (path: string, parameters: Parameters<typeof query>[0]) =>
  request({ target: query(parameters).map((chosen) => `GET /console/api/${path}${chosen}`) });
const webhook = known("wh").map((id) => `/console/api/webhooks/${id}`);
const delivery = known("dlv").map((id) => `/console/api/deliveries/${id}`);

const bodyId = fc.tuple(fc.constantFrom(...eventNames), recordId).map(([name, id]) => `${name}_${id}`);
const log = {
  webhook_id: filter(known("wh")),
  event: filter(event),
  status: filter(fc.constantFrom("pending", "failed")),
  project_id: filter(site),
  kind: filter(fc.constantFrom("event", "resend")),
};

/** Requests to the console API, except sign-ins, which are slow on purpose, and tests, which send requests. */
export const consoleRequests = fc.oneof(
  get("keys", page),
  get("webhooks", page),
  get("deliveries", { ...page, ...log }),
  { weight: 2, arbitrary: get("deliveries", log) },
  get("deliveries", { limit: page.limit, q: filter(fc.oneof(known("dlv"), recordId, bodyId)) }),
  request({ target: webhook.map((path) => `GET ${path}`) }),
  request({ target: delivery.map((path) => `GET ${path}`) }),
  request({ target: delivery.map((path) => `POST ${path}/resend`) }),
  request({
    target: fc
      .tuple(
        webhook,
        fc.constantFrom("pause", "resume", "turn-on", "rotate", "rotate/finish", "rotate/cancel"),
      )
      .map(([path, action]) => `POST ${path}/${action}`),
  }),
  request({ target: webhook.map((path) => `DELETE ${path}`) }),
  request({
    target: "POST /console/api/webhooks",
    json: body({ event, target_url: targetUrl }, { project_id: site }),
  }),
  request({
    target: "POST /console/api/keys",
    json: body({ name: text(200) }, { integration: fc.boolean() }),
  }),
);
