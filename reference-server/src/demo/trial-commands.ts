import { createDemoOrder } from "./demo-order.ts";
import { demoNames } from "./demo-names.ts";

export interface TrialCommandsOptions {
  /** The URL of the server. */
  readonly url: string;
  readonly apiKey: string;
  /** Undefined if the operator set the host token. The command then reads it from the environment. */
  readonly hostToken: string | undefined;
  /** The variable of the environment with one host token. */
  readonly hostTokenVariable: "HOOKWRIGHT_HOST_TOKEN" | "HOST_TOKEN";
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface TrialCommand {
  readonly title: string;
  readonly command: string;
}

/** Three commands that work unchanged in a POSIX shell, any number of times. */
export function toTrialCommands({
  url,
  apiKey,
  hostToken,
  hostTokenVariable,
  now,
}: TrialCommandsOptions): readonly TrialCommand[] {
  const key = `-H 'Authorization: Bearer ${apiKey}'`;
  const host =
    hostToken === undefined
      ? `-H "Authorization: Bearer $${hostTokenVariable}"`
      : `-H 'Authorization: Bearer ${hostToken}'`;
  const needsVariable = hostToken === undefined && hostTokenVariable === "HOST_TOKEN";
  const json = "-H 'Content-Type: application/json'";
  return [
    { title: "List orders", command: join(`${curl} ${url}/v1/orders`, key) },
    {
      title: "Create a webhook",
      command: join(
        `${curl} ${url}/v1/webhooks`,
        key,
        json,
        `-d '${JSON.stringify({ event: "order.paid", target_url: "https://hooks.example.com/orders" })}'`,
      ),
    },
    {
      title: `Publish an order, as the site builder does${needsVariable ? ". Set HOST_TOKEN first" : ""}`,
      command: join(`${curl} ${url}/host/v1/events`, host, json, `-d '${renderPublication(now)}'`),
    },
  ];
}

/** The responses are JSON without a line end, so the command prints one before the next prompt. */
const curl = "curl -sw '\\n'";

function join(...parts: readonly string[]): string {
  return parts.join(" \\\n  ");
}

/** The shell inserts the time into the id, so that each run publishes another order. */
const shellTime = `'"$(date +%s)"'`;

function renderPublication(now: number): string {
  const order = createDemoOrder({ id: `ord_${shellTime}`, number: shellTime, createdAt: now });
  // One item keeps the command short.
  const { id, number, ...fields } = {
    ...order,
    subtotal: 9,
    tax: 0.59,
    total: 13.9,
    items: order.items.slice(0, 1),
  };
  const members = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const data = wrap([`"id":"${id}"`, `"number":"${number}"`, ...members], 92);
  return `{"event":"order.created","project_id":"${demoNames.projectId}","data":{\n    ${data.join(",\n    ")}}}`;
}

/** Puts as many members on a line as fit. */
function wrap(members: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const member of members) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + member.length < width)
      lines[lines.length - 1] = `${last},${member}`;
    else lines.push(member);
  }
  return lines;
}
