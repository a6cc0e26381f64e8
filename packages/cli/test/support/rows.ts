/** Rows as the developer API returns them. */
export const webhook = {
  id: "wh_1",
  event: "order.created",
  target_url: "https://example.com/hooks",
  project_id: null,
  status: "active",
  consecutive_failures: 0,
  created_at: "2026-11-20T09:00:00Z",
};

export const delivery = {
  id: "dlv_1",
  webhook_id: "wh_1",
  target_url: "https://example.com/hooks",
  event: "order.created",
  record_id: "ord_1",
  body_id: "order.created_ord_1",
  project_id: "site_shop",
  kind: "event",
  status: "delivered",
  attempts_made: 1,
  next_attempt_at: null,
  created_at: "2026-11-20T09:30:00Z",
  completed_at: "2026-11-20T09:30:01Z",
};

export const orderBody =
  '{"id":"order.created_ord_1","event":"order.created","project":{"id":"site_shop","name":"Café","timezone":"Europe/London"},"data":{"id":"ord_1","total":10}}';

export const attempt = {
  id: "att_1",
  number: 1,
  started_at: "2026-11-20T09:30:00.123Z",
  duration_ms: 38.5,
  phases: { queued_ms: 3, dns_ms: 1.5, connect_ms: 9.5, tls_ms: 15, wait_ms: 12, read_ms: 0.5 },
  reused: false,
  request: {
    headers: {
      "Content-Type": "application/json",
      "X-Service-Event": "order.created",
      "X-Service-Delivery": "dlv_1",
    },
    body: orderBody,
  },
  status: 200,
  headers: { "content-type": "text/plain" },
  excerpt: "ok",
  error: null,
  detail: null,
  next_attempt_at: null,
};

export const issues = [
  {
    id: "iss_1",
    webhook_id: "wh_1",
    status: "open",
    http_status: 500,
    error: "status",
    response: "order # not found",
    deliveries: 12,
    last_at: "2026-11-20T09:30:00Z",
  },
  {
    id: "iss_2",
    webhook_id: "wh_1",
    status: "acknowledged",
    http_status: null,
    error: "timeout",
    response: null,
    deliveries: 1,
    last_at: "2026-11-20T09:00:00Z",
  },
];
