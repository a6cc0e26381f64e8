import * as fc from "fast-check";
import { ask, body, known, mostly, query, toUrlText } from "./random-request.ts";
import type { RequestParts } from "./random-request.ts";
import {
  email,
  emailList,
  event,
  filter,
  number,
  page,
  recordId,
  site,
  status,
  tags,
  targetUrl,
  text,
} from "./values.ts";

const token = mostly(
  fc.constant("~hwk.0~"),
  fc.oneof(known("hwk"), fc.constantFrom("~hwc.0~", "hwk_unknown", "hwc_unknown", "")),
  20,
);

const request = (parts: Omit<RequestParts, "token">) => ask({ token, ...parts });
const get = (path: string, parameters: Parameters<typeof query>[0] = {}) =>
  request({ target: query(parameters).map((chosen) => `GET ${path}${chosen}`) });
const getOne = (path: string, id: fc.Arbitrary<string>) =>
  request({ target: id.map((chosen) => `GET ${path}/${toUrlText(chosen)}`) });
const post = (path: string, json: fc.Arbitrary<unknown>) => request({ target: `POST ${path}`, json });

const orderFilters = {
  project_id: filter(site),
  email: filter(email),
  number: filter(number),
  status: filter(status),
};

/** Requests to every route under `/v1`. */
export const publicRequests = fc.oneof(
  get("/v1/me"),
  get("/v1/event-types"),
  get("/v1/projects", page),
  get("/v1/email-lists", { ...page, project_id: filter(site) }),
  get("/v1/webhooks", page),
  get("/v1/contacts", { ...page, project_id: filter(site), email: filter(email) }),
  get("/v1/orders", { ...page, ...orderFilters }),
  get("/v1/orders", { limit: page.limit, ...orderFilters }),
  event.chain((name) =>
    get(`/v1/event-types/${toUrlText(name)}/samples`, { limit: page.limit, project_id: filter(site) }),
  ),
  getOne("/v1/webhooks", filter(known("wh"))),
  getOne("/v1/contacts", filter(known("ct"))),
  getOne("/v1/orders", filter(recordId)),
  request({ target: known("wh").map((id) => `DELETE /v1/webhooks/${id}`) }),
  request({
    target: fc.constantFrom(
      "HEAD /v1/me",
      "OPTIONS /v1/orders",
      "PATCH /v1/me",
      "GET /v1/none",
      "GET /v1/me?a=1&a=1",
    ),
  }),
  post("/v1/webhooks", body({ event, target_url: targetUrl }, { project_id: site })),
  post(
    "/v1/contacts",
    body({ project_id: site, email }, { name: text(200), phone: text(64), notes: text(200), tags }),
  ),
  post("/v1/subscribers", body({ project_id: site, email }, { name: text(200), tags, list_id: emailList })),
  post(
    "/v1/blog-posts",
    body({ project_id: site, title: text(500) }, { slug: text(200), content: text(200), tags }),
  ),
);
