import { sampleDeliveryBody } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import * as fc from "fast-check";
import { ask, body, hostToken, mostly, toUrlText } from "./random-request.ts";
import type { RequestParts } from "./random-request.ts";
import { email, emailList, number, recordId, site, status, tags, text } from "./values.ts";

const request = (parts: Omit<RequestParts, "token">) =>
  ask({ token: mostly(fc.constant(hostToken), fc.constantFrom("~hwk.0~", "wrong", ""), 40), ...parts });
const put = (path: string, id: fc.Arbitrary<string>, json: fc.Arbitrary<unknown>) =>
  request({ target: id.map((chosen) => `PUT ${path}/${toUrlText(chosen)}`), json });

const account = mostly(fc.constant("acc_1"), fc.constantFrom("acc_2", "none", "é"), 4);
const createdAt = mostly(
  fc.constantFrom("2026-11-20T09:30:00Z", "2026-11-19T10:00:00Z", "2026-11-19T10:00:00.500Z"),
  fc.constantFrom("1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z", "2026-02-30T00:00:00Z", "yesterday"),
  8,
);
const amount = mostly(fc.constantFrom(0, 10.5, -3), fc.constantFrom(0.001, 1e15, 1e308), 8);

function publication(event: EventName, changes: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  const { data } = sampleDeliveryBody(event);
  const record = fc.record({ id: recordId, created_at: createdAt, ...changes });
  return fc
    .tuple(site, record)
    .map(([project_id, changed]) => ({ event, project_id, data: { ...data, ...changed } }));
}

const customer = fc.record({ name: text(200), email, phone: fc.constantFrom(null, "", "+44 20 7946 0000") });
const order = { number, status, customer, total: amount, note: text(200) };

export const publications = fc.oneof(
  publication("order.created", order),
  publication("order.created", order),
  publication("order.paid", order),
  publication("booking.created", { customer, amount_due: amount }),
  publication("rental.reserved", { customer }),
  publication("subscriber.created", { email, name: text(200), tags }),
  publication("subscriber.created", { email, name: text(200), tags }),
  publication("property_enquiry.created", { customer, message: text(200) }),
  publication("review.submitted", { title: text(500) }),
);

/** All events are of different records on one site, because the order within one call is not guaranteed. */
const batch = fc
  .uniqueArray(publications, { maxLength: 5, selector: ({ data }) => data.id })
  .map((all) => all.filter(({ event }) => event !== "subscriber.created"))
  .map((all) => all.map((one) => ({ ...one, project_id: all[0]?.project_id })));

const plan = body(
  {},
  {
    crm: fc.constantFrom(true, true, true, false),
    monthly_new_subscribers: fc.constantFrom(null, 2, 5),
    blog_posts_per_site: fc.constantFrom(null, 1, 5),
  },
);

/** Requests of a host that change its accounts and their data, so that the public API has data to return. */
export const hostRequests = fc.oneof(
  { weight: 10, arbitrary: request({ target: "POST /host/v1/events", json: publications }) },
  { weight: 2, arbitrary: request({ target: "POST /host/v1/events", json: batch }) },
  put(
    "/host/v1/accounts",
    account,
    body({}, { name: text(200), plan, status: fc.constantFrom("active", "active", "suspended") }),
  ),
  {
    weight: 2,
    arbitrary: put("/host/v1/accounts", account, fc.constant({ status: "active", plan: { crm: true } })),
  },
  put("/host/v1/projects", site, body({}, { account_id: account, name: text(200) })),
  put("/host/v1/email-lists", emailList, body({}, { project_id: site, name: text(200) })),
  request({
    target: account.map((id) => `POST /host/v1/accounts/${toUrlText(id)}/api-keys`),
    json: body({ name: text(200) }),
  }),
  // Most requests use the first key.
  request({ target: fc.constantFrom("~key.1~", "none").map((id) => `POST /host/v1/api-keys/${id}/revoke`) }),
  {
    weight: 2,
    arbitrary: request({
      target: fc
        .tuple(account, fc.constantFrom("orders", "bookings", "subscribers", "none"), recordId)
        .map((names) => names.map(toUrlText))
        .map(([id, kind, record]) => `DELETE /host/v1/accounts/${id}/records/${kind}/${record}`),
    }),
  },
  request({
    target: fc
      .tuple(site, email)
      .map((names) => names.map(toUrlText))
      .map(([id, address]) => `PUT /host/v1/projects/${id}/subscribers/${address}`),
    json: body({}, { status: fc.constantFrom("active", "unsubscribed", "none"), name: text(200), tags }),
  }),
  put("/host/v1/suppressions", email, body({ reason: fc.constantFrom("bounced", "complained") })),
  request({ target: email.map((address) => `DELETE /host/v1/suppressions/${toUrlText(address)}`) }),
);
