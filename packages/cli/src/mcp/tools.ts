import { deliveryStates } from "@hookwright/domain";
import { isRow, numberOf, textOf } from "../api/fields.ts";
import type { ApiClient } from "../api/api-client.ts";
import type { Row } from "../api/fields.ts";
import {
  actOnWebhook,
  getAccount,
  getDelivery,
  getEventType,
  getRecovery,
  getResend,
  listEventTypes,
  listIssues,
  listWebhooks,
  resendDelivery,
  startRecovery,
  startResend,
  testWebhook,
  triggerEvent,
  waitForAttempt,
} from "../api/operations.ts";
import { diagnose } from "../check/diagnose.ts";
import { parseHeaders } from "../check/http-message.ts";
import type { InputField, InputSchema } from "./check-input.ts";
import { collectDeliveries } from "./collect-deliveries.ts";
import { parseSince } from "../command-line/read-values.ts";

export interface ToolContext {
  connect(): Promise<ApiClient>;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** False if it changes or sends something. */
  readonly isReadOnly: boolean;
  readonly inputSchema: InputSchema;
  /**
   * @param input checked against the schema
   * @throws {CliError}
   */
  call(input: Row, context: ToolContext): Promise<unknown>;
}

const mostDeliveries = 100;
const defaultDeliveries = 25;
const since: InputField = {
  type: "string",
  minLength: 1,
  description: "An age such as 30m, 1h, 2d, or a timestamp such as 2026-11-20T09:30:00Z",
};

const webhook: InputField = { type: "string", minLength: 1, description: "The id of a webhook, wh_…" };
const event: InputField = {
  type: "string",
  minLength: 1,
  description: "The name of an event, as the tool events lists it",
};
const site: InputField = { type: "string", minLength: 1, description: "The id of a site" };

/**
 * The commands that make sense for a model. Reading comes first. It creates no webhook, whose secret would be in its log, and deletes
 * none.
 */
export const tools: readonly Tool[] = [
  {
    name: "whoami",
    description: "The account that the credential belongs to, with its plan.",
    isReadOnly: true,
    inputSchema: { type: "object", properties: {} },
    call: async (_, { connect }) => getAccount(await connect()),
  },
  {
    name: "webhooks",
    description: "All webhooks that the credential can see, with their status and their failures in a row.",
    isReadOnly: true,
    inputSchema: { type: "object", properties: {} },
    call: async (_, { connect }) => listWebhooks(await connect()),
  },
  {
    name: "events",
    description:
      "The events of the server that a webhook can get. With a name: the fields of its data, and a sample of a body.",
    isReadOnly: true,
    inputSchema: { type: "object", properties: { event } },
    async call(input, { connect }) {
      const name = textOf(input, "event");
      if (name !== undefined) return getEventType(await connect(), name);
      const types = await listEventTypes(await connect());
      return types.map(({ event: each, description }) => ({ event: each, description }));
    },
  },
  {
    name: "deliveries",
    description:
      "The newest deliveries of webhooks, newest first. A note says so if older ones may be missing.",
    isReadOnly: true,
    inputSchema: {
      type: "object",
      properties: {
        failed: { type: "boolean", description: "Only deliveries that failed, as with the status failed" },
        status: { type: "string", minLength: 1, description: `One of ${deliveryStates.join(", ")}` },
        since,
        webhook,
        event,
        site,
        issue: { type: "string", minLength: 1, description: "Only those with the failure of this issue" },
        search: {
          type: "string",
          minLength: 1,
          description:
            "A record id or its beginning, an order number, an e-mail address of a customer, or a part of the name or URL of a webhook",
        },
        limit: { type: "integer", minimum: 1, maximum: mostDeliveries, default: defaultDeliveries },
      },
    },
    async call(input, { connect, now }) {
      const limit = numberOf(input, "limit") ?? defaultDeliveries;
      const age = textOf(input, "since");
      const filters = {
        status: input["failed"] === true ? "failed" : textOf(input, "status"),
        webhookId: textOf(input, "webhook"),
        event: textOf(input, "event"),
        site: textOf(input, "site"),
        issue: textOf(input, "issue"),
        search: textOf(input, "search"),
        since: age === undefined ? undefined : parseSince(age, now()),
      };
      return collectDeliveries(await connect(), filters, limit);
    },
  },
  {
    name: "delivery",
    description:
      "One delivery with all its attempts: request headers and body, response, error, and `phases`: where its time went.",
    isReadOnly: true,
    inputSchema: {
      type: "object",
      properties: {
        id: { type: "string", minLength: 1, description: "The value of X-Service-Delivery, dlv_…" },
      },
      required: ["id"],
    },
    call: async (input, { connect }) => getDelivery(await connect(), textOf(input, "id") ?? ""),
  },
  {
    name: "issues",
    description:
      "Equal failures of webhooks, each once, those that came last first. The input issue of deliveries lists its deliveries.",
    isReadOnly: true,
    inputSchema: { type: "object", properties: { since, webhook } },
    async call(input, { connect, now }) {
      const age = textOf(input, "since");
      return listIssues(await connect(), {
        webhookId: textOf(input, "webhook"),
        since: age === undefined ? undefined : parseSince(age, now()),
      });
    },
  },
  {
    name: "verify",
    description:
      "Checks the signature of a received request, and explains why it fails. Works without a server.",
    isReadOnly: true,
    inputSchema: {
      type: "object",
      properties: {
        secret: { type: "string", minLength: 1, description: "The signing secret, the whole whsec_ string" },
        headers: {
          type: "string",
          minLength: 1,
          description: "The request headers: one `Name: value` per line, or a JSON object",
        },
        body: { type: "string", description: "The exact text of the body" },
        tolerance: {
          type: "number",
          minimum: 0,
          default: 300,
          description: "The largest age of the timestamp in seconds",
        },
      },
      required: ["secret", "headers", "body"],
    },
    async call(input, { now }) {
      return diagnose({
        secrets: [textOf(input, "secret") ?? ""],
        headers: parseHeaders(textOf(input, "headers") ?? "", "headers"),
        body: new TextEncoder().encode(textOf(input, "body")),
        toleranceSeconds: typeof input["tolerance"] === "number" ? input["tolerance"] : 300,
        now: now() / 1_000,
      });
    },
  },
  {
    name: "recovery",
    description: "The state of a recovery: how many deliveries it found and has sent again.",
    isReadOnly: true,
    inputSchema: { type: "object", properties: { id: { type: "string", minLength: 1 } }, required: ["id"] },
    call: async (input, { connect }) => getRecovery(await connect(), textOf(input, "id") ?? ""),
  },
  {
    name: "resend_job",
    description: "The state of a job of resend_all: how many events it found, has sent again, and skipped.",
    isReadOnly: true,
    inputSchema: { type: "object", properties: { id: { type: "string", minLength: 1 } }, required: ["id"] },
    call: async (input, { connect }) => getResend(await connect(), textOf(input, "id") ?? ""),
  },
  {
    name: "trigger",
    description:
      "Sends a realistic event to the running listeners of the account. Webhooks do not get it. The program behind a listener acts on it, except on a test.",
    isReadOnly: false,
    inputSchema: {
      type: "object",
      properties: {
        event,
        site,
        data: { type: "object", description: "Fields that are merged into the record" },
        test: {
          type: "boolean",
          default: false,
          description:
            "Mark the delivery as a test (X-Service-Test: 1), which receivers accept without acting on it",
        },
      },
      required: ["event"],
    },
    async call(input, { connect }) {
      const { data } = input;
      return triggerEvent(await connect(), {
        event: textOf(input, "event") ?? "",
        site: textOf(input, "site"),
        data: isRow(data) ? data : undefined,
        isTest: input["test"] === true,
      });
    },
  },
  {
    name: "test",
    description:
      "Sends a test with sample data to the real endpoint of a webhook, and returns the attempt. A webhook that is paused and has accepted a test or a delivery sends none.",
    isReadOnly: false,
    inputSchema: { type: "object", properties: { webhook, event }, required: ["webhook"] },
    async call(input, { connect }) {
      return testWebhook(await connect(), textOf(input, "webhook") ?? "", { event: textOf(input, "event") });
    },
  },
  {
    name: "pause",
    description:
      "Pauses a webhook. What happens until it is resumed is not sent, and recover with missed sends it later.",
    isReadOnly: false,
    inputSchema: { type: "object", properties: { webhook }, required: ["webhook"] },
    call: async (input, { connect }) =>
      actOnWebhook(await connect(), textOf(input, "webhook") ?? "", "pause"),
  },
  {
    name: "resume",
    description: "Resumes a paused webhook. It sends what happens from now on.",
    isReadOnly: false,
    inputSchema: { type: "object", properties: { webhook }, required: ["webhook"] },
    call: async (input, { connect }) =>
      actOnWebhook(await connect(), textOf(input, "webhook") ?? "", "resume"),
  },
  {
    name: "resend",
    description: "Sends the event of a delivery again, to its real endpoint, and returns the new delivery.",
    isReadOnly: false,
    inputSchema: {
      type: "object",
      properties: { id: { type: "string", minLength: 1, description: "dlv_…" } },
      required: ["id"],
    },
    async call(input, { connect, now, sleep }) {
      const api = await connect();
      const created = await resendDelivery(api, textOf(input, "id") ?? "");
      return waitForAttempt(api, textOf(created, "id") ?? "", { now, sleep });
    },
  },
  {
    name: "resend_all",
    description:
      "Sends again, to real endpoints, everything that failed or was cancelled since a time, of all webhooks or one. Returns the job, which goes on. Use dry_run first: it only counts.",
    isReadOnly: false,
    inputSchema: {
      type: "object",
      properties: {
        since,
        webhook,
        event,
        site,
        not_sent: {
          type: "boolean",
          description: "Also events that were published while their webhook was paused or disabled",
        },
        dry_run: { type: "boolean", description: "Only count what would be sent" },
      },
      required: ["since"],
    },
    async call(input, { connect, now }) {
      const request = {
        statuses: ["failed", "cancelled"],
        since: parseSince(textOf(input, "since") ?? "", now()),
        webhookId: textOf(input, "webhook"),
        event: textOf(input, "event"),
        site: textOf(input, "site"),
        isNotSent: input["not_sent"] === true,
      };
      return startResend(await connect(), request, { isDryRun: input["dry_run"] === true });
    },
  },
  {
    name: "recover",
    description:
      "Sends again everything that a webhook did not accept since a time. Returns the recovery, which goes on.",
    isReadOnly: false,
    inputSchema: {
      type: "object",
      properties: {
        webhook,
        since,
        missed: {
          type: "boolean",
          description: "Also events that were published while it was paused or disabled",
        },
      },
      required: ["webhook", "since"],
    },
    async call(input, { connect, now }) {
      return startRecovery(await connect(), {
        webhookId: textOf(input, "webhook") ?? "",
        since: parseSince(textOf(input, "since") ?? "", now()),
        missed: input["missed"] === true,
      });
    },
  },
];

/** The names of the tools that only read, or of the others. @example listTools(true) // "whoami, webhooks, …" */
export function listTools(isReadOnly: boolean): string {
  const names = tools.filter((tool) => tool.isReadOnly === isReadOnly).map(({ name }) => name);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
