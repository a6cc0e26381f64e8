import { createHmac } from "node:crypto";

export const now = 1_760_000_000;
export const secret = "whsec_ChsEoxnBAGJ8qwNSZQbrLXkJwDyWkUDqUDEJeGWTuWU";

export const body = JSON.stringify({
  id: "subscriber.created_s1",
  event: "subscriber.created",
  project: { id: "site_1", name: "Nordlicht", timezone: "Europe/Berlin" },
  data: {
    id: "s1",
    email: "ada@example.com",
    name: "Ada",
    status: "active",
    tags: [],
    created_at: "2025-10-09T08:53:20Z",
  },
});

/** What `verify` returns for it. */
export const event = JSON.parse(body);

export const headers = {
  "X-Service-Event": "subscriber.created",
  "X-Service-Delivery": "dlv_1",
  "X-Service-Timestamp": `${now}`,
  "X-Service-Signature": `v1=${createHmac("sha256", secret).update(`${now}.${body}`).digest("hex")}`,
};
