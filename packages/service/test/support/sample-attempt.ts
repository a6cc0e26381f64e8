import type { AttemptRow } from "@hookwright/delivery";

/** An attempt that was accepted. */
export const sampleAttempt: AttemptRow = {
  number: 1,
  started_at: 0,
  duration_ms: 1,
  request_form: 1,
  signature: "v1=0",
  body: { version: 1, project_name: "Shop", project_timezone: "UTC" },
  status: 200,
  headers: [],
  excerpt: "",
  error: null,
  detail: null,
  next_attempt_at: null,
};
