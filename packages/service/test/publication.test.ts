import { describe, expect, it } from "vitest";
import type { Service } from "../src/use-cases.ts";
import { openShop, order } from "./support/host-shop.ts";

const publishOne = (service: Service, input: unknown): Promise<unknown> =>
  service.publish(input).catch((error: unknown) => error);

async function publishAmongOthers(service: Service, input: unknown): Promise<unknown> {
  const good = { event: "order.created", project_id: "site_1", data: order };
  const [, answer] = await service.publishMany([good, input, good]);
  return answer !== undefined && "error" in answer ? answer.error : answer;
}

const notANumber = "data.total: must be a number, or decimal text such as 9.50 with at most 15 digits";

describe.each([
  ["an event by itself", publishOne],
  ["an event among others", publishAmongOthers],
])("%s", (_, refusalOf) => {
  it.each([
    ["its site", { event: "order.created" }, `project_id: is required; ${notANumber}`],
    // Without a valid event name, the fields of the record are unknown.
    ["its name", { project_id: "site_none" }, "project_id: no such site; event: is required"],
    ["both", { event: " ", project_id: null }, "event: is required; project_id: is required"],
    [
      "its site, which is no text",
      { event: "order.created", project_id: 5 },
      `project_id: must be text; ${notANumber}`,
    ],
  ])("without %s is refused with all its other problems", async (_, named, message) => {
    const { service } = await openShop({});
    const input = { ...named, data: { ...order, total: "free" } };
    expect(await refusalOf(service, input)).toMatchObject({ code: "validation_failed", message });
  });

  it("without project and record is refused with each missing field", async () => {
    const { service } = await openShop({});
    const input = { event: "order.created", data: {} };
    expect(await refusalOf(service, input)).toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(
        /^project_id: is required; data\.id: is required; data\.total: is required$/,
      ),
    });
  });

  it.each([undefined, null, "", " \n", []])(
    "with empty data is refused as without data: %j",
    async (data) => {
      const { service } = await openShop({});
      for (const [named, message] of [
        [{ event: "order.created", project_id: "site_1" }, "data: is required"],
        [{ event: "order.created", project_id: "site_none" }, "project_id: no such site; data: is required"],
        [{ event: "order.created" }, "project_id: is required; data: is required"],
        [{}, "event: is required; project_id: is required; data: is required"],
      ] as const) {
        const refusal = await refusalOf(service, { ...named, data });
        expect(refusal).toMatchObject({ code: "validation_failed", message });
      }
    },
  );

  it("with an unknown event name is refused with that and the missing fields", async () => {
    const { service } = await openShop({});
    const event = "order.never";
    const unknown = "event: `order.never` is not a known event; GET /v1/event-types lists them";
    for (const [input, message] of [
      [{ event, project_id: "", data: order }, `${unknown}; project_id: is required`],
      [{ event, project_id: "site_1", data: [] }, `${unknown}; data: is required`],
    ] as const) {
      const refusal = await refusalOf(service, input);
      expect(refusal).toMatchObject({ code: "validation_failed", message });
    }
    for (const data of [order, {}]) {
      const refusal = await refusalOf(service, { event, project_id: "site_1", data });
      expect(refusal).toMatchObject({ code: "unknown_event", message: expect.stringMatching(/^event: /) });
    }
  });
});
