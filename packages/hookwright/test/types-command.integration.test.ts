import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { eventNames, sampleDeliveryBody } from "@hookwright/domain";
import type { BodyForm } from "@hookwright/domain";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../cli/src/command-line/run-command.ts";
import { typesCommand } from "../../cli/src/commands/types.ts";
import { createTestProgram } from "../../cli/test/support/test-program.ts";
import { TSC } from "../../../scripts/bootstrap/workspace.mjs";
import { openConsole } from "./support/open-console.ts";
import type { World } from "./support/open-console.ts";

const hostToken = "host-token-of-the-test";
const order = sampleDeliveryBody("order.created").data;
const bin = z.object({
  code: z.string(),
  get bins() {
    return z.array(bin).optional();
  },
});

/** Events of the program. */
const events = {
  "order.shipped": {
    schema: z.object({
      carrier: z.enum(["bike", "van"]),
      eta: z.string().nullable().meta({ description: "When." }),
    }),
    sample: { ...order, carrier: "bike", eta: null },
    description: "An order leaves the shop.",
    record: "orders",
  },
  "stock.changed": {
    schema: z.object({ id: z.number(), level: z.union([z.number(), z.literal("out")]), bins: z.array(bin) }),
    sample: { id: 7, level: 3, bins: [] },
    description: "A stock changes.",
  },
  "Legacy.Thing-Done": {
    schema: { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } },
    sample: { id: "one", anything: [1] },
    description: "It ends with */ on purpose.",
  },
} as const;

/** An event that the host declares. */
const declared = {
  description: "A parcel is sent.",
  schema: {
    type: "object",
    required: ["id", "weight", "size"],
    properties: {
      id: { type: "string" },
      weight: { $ref: "#/$defs/weight" },
      size: {
        type: "array",
        prefixItems: [{ type: "number" }, { type: "number" }],
        minItems: 2,
        items: false,
      },
      "ship-to": { type: ["object", "null"], properties: { city: { type: "string" } } },
      labels: { type: "object", additionalProperties: { type: "string" } },
      notes: { $ref: "#/$defs/notes" },
    },
    $defs: {
      weight: { type: "number", minimum: 0 },
      notes: {
        type: "object",
        additionalProperties: { anyOf: [{ type: "string" }, { $ref: "#/$defs/notes" }] },
      },
    },
  },
  sample: {
    id: "par_1",
    weight: 2.5,
    size: [1, 2],
    "ship-to": { city: "Oslo" },
    labels: { "a-b": "c" },
    notes: { door: { code: "7" } },
  },
};

async function runTypes(world: World, ...commandLine: string[]) {
  const program = createTestProgram();
  const status = await runCommand({
    program,
    command: typesCommand,
    commandLine: ["--server", "http://localhost", ...commandLine],
    listed: [],
    fetch: (input, init) => world.hookwright.fetch(new Request(input, init)),
  });
  return { status, printed: program.printed.join("\n"), complained: program.complained.join("\n") };
}

/** All events as webhooks get them. */
async function receiveAll(world: World): Promise<readonly string[]> {
  const put = new Request("http://localhost/host/v1/event-types/parcel.sent", {
    method: "PUT",
    headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
    body: JSON.stringify(declared),
  });
  expect((await world.hookwright.fetch(put)).status).toBe(201);
  const { event: _, ...all } = { event: undefined, events: ["*"], target_url: `${world.origin}/hooks` };
  expect((await world.ask("POST /console/api/webhooks", all)).status).toBe(201);
  const nested = [{ code: "A", bins: [{ code: "A1" }] }];
  const published: readonly (readonly [event: string, data: object, id?: string])[] = [
    ...eventNames.map((event) => [event, sampleDeliveryBody(event).data] as const),
    ["order.shipped", { ...order, carrier: "van", eta: "noon" }, "evt_1"],
    ["order.shipped", events["order.shipped"].sample, "evt_2"],
    ["stock.changed", { id: 7, level: "out", bins: nested }],
    ["Legacy.Thing-Done", { id: "two", anything: { a: null } }],
    ["parcel.sent", declared.sample],
    ["parcel.sent", { id: "par_2", weight: 0, size: [3, 4], "ship-to": null, note: "not in the schema" }],
  ];
  for (const [event, data, id] of published) {
    const body = JSON.stringify({ event, project_id: world.site, data, id });
    const headers = { authorization: `Bearer ${hostToken}`, "content-type": "application/json" };
    const sent = new Request("http://localhost/host/v1/events", { method: "POST", headers, body });
    expect(await (await world.hookwright.fetch(sent)).json()).toMatchObject({ success: true });
  }
  await expect.poll(() => world.received.length).toBe(published.length);
  return world.received.map(({ body }) => String(body));
}

/** Types the bodies, the results of the verifier, and mistakes, each of which must be an error. */
const program = (bodies: readonly string[], name: "event" | "type") => `
import { verify } from "@hookwright/signature";
import type { DeliveryBody, EventData } from "./events.js";

export const received: DeliveryBody[] = [
${bodies.join(",\n").replace('"note":"not in the schema"', "// @ts-expect-error a field that the schema does not name\n $&")}
];

export async function receive(body: string, headers: Headers): Promise<string | null> {
  const event = await verify<EventData>({ body, headers, secrets: "whsec_1" });
  switch (event.event) {
    case "order.paid":
      return event.data.note ?? event.data.items[0]?.name ?? event.project.timezone;
    case "order.shipped": {
      const carrier: "bike" | "van" = event.data.carrier;
      return carrier + event.data.number + (event.data.eta ?? "");
    }
    case "stock.changed":
      return event.data.id.trim() + (event.data.bins[0]?.bins?.[0]?.bins?.[0]?.code ?? "");
    case "parcel.sent":
      return event.data.weight.toFixed(event.data.size[1]) + event.data["ship-to"]?.city + event.data.labels?.["a"];
    case "Legacy.Thing-Done":
      return String(event.data["anything"]) + event.data.id.trim();
    // @ts-expect-error there is no such event
    case "order.pait":
      return null;
    default:
      return event.test ? String(event.data["id"]) : null;
  }
}

export function misuse(body: DeliveryBody): unknown {
  if (body.${name} === "order.shipped") {
    // @ts-expect-error there is no such field
    body.data.carier;
    // @ts-expect-error it may be null
    body.data.eta.length;
    // @ts-expect-error it is not one of the two
    return body.data.carrier === "drone";
  }
  if (body.${name} === "stock.changed") {
    // @ts-expect-error it may be "out"
    body.data.level.toFixed();
    // @ts-expect-error it may be absent
    return body.data.bins[0]!.bins.length;
  }
  // @ts-expect-error only some have it
  return body.data.weight;
}
`;

it.each<BodyForm>(["hookwright", "standard"])(
  "what a server with bodies of the form %s delivers has the types and fits the schema that the command writes",
  { timeout: 120_000 },
  async (bodyForm) => {
    await using world = await openConsole({ hostToken, events, bodyForm });
    const folder = await mkdtemp(path.join(tmpdir(), "hookwright-types-"));
    try {
      const bodies = await receiveAll(world);
      const file = path.join(folder, "events.d.ts");
      expect(await runTypes(world, "--out", file)).toEqual({
        status: 0,
        printed: `${file} has 11 events of http://localhost.`,
        complained: "",
      });
      const root = fileURLToPath(new URL("../../../", import.meta.url));
      const paths = { "@hookwright/signature": [`${root}packages/signature/src/index.ts`] };
      const compilerOptions = { noEmit: true, composite: false, emitDeclarationOnly: false, rootDir: "/" };
      const project = {
        extends: `${root}tsconfig.base.json`,
        compilerOptions: {
          ...compilerOptions,
          skipLibCheck: false,
          lib: ["ES2024", "DOM", "DOM.Iterable"],
          paths,
        },
        files: ["use.ts", "events.d.ts"],
      };
      await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(project));
      await writeFile(
        path.join(folder, "use.ts"),
        program(bodies, bodyForm === "standard" ? "type" : "event"),
      );
      const compiled = await promisify(execFile)(process.execPath, [TSC, "--project", folder]).catch(
        (error: { stdout: string }) => error,
      );
      expect(compiled.stdout).toBe("");

      const { printed } = await runTypes(world, "--format", "json-schema");
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      formats(ajv);
      const validate = ajv.compile(JSON.parse(printed));
      for (const text of bodies) {
        const body = JSON.parse(text);
        expect([body.id, validate(body), validate.errors]).toEqual([body.id, true, null]);
        expect(validate({ ...body, data: { ...body.data, id: 5 } })).toBe(false);
        // A newer server may send further fields.
        const more = {
          ...body,
          more: 1,
          project: { ...body.project, more: 1 },
          data: { ...body.data, more: 1 },
        };
        expect([body.id, validate(more)]).toEqual([body.id, true]);
        expect(validate({ ...body, [bodyForm === "standard" ? "type" : "event"]: "order.pait" })).toBe(false);
      }

      // The same events make the same file, and the other form another.
      const first = await readFile(file, "utf8");
      expect((await runTypes(world)).printed).toBe(first.trimEnd());
      expect(await runTypes(world, "--out", file, "--check")).toMatchObject({ status: 0 });
      const other = bodyForm === "standard" ? "hookwright" : "standard";
      expect(await runTypes(world, "--out", file, "--check", "--body-form", other)).toMatchObject({
        status: 1,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
