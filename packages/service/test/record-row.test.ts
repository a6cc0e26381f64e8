import { eventCatalogue, eventNames, expectRecord } from "@hookwright/domain";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseRecordRow,
  readRecordContent,
  readRecordJson,
  renderRecordRow,
} from "../src/rows/record-row.ts";
import type { RecordHead } from "../src/rows/record-row.ts";

const { sampleData } = eventCatalogue["order.created"];

/** Texts with JSON syntax, which may look like the end of the head. */
const text = fc
  .array(fc.constantFrom('"', ",", "{", "}", "[", "]", ":", "id", ',{"id":', "\\", "\n", "é", "😀"), {
    maxLength: 8,
  })
  .map((parts) => parts.join(""));

const hostId = fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/u);

const head: fc.Arbitrary<RecordHead> = fc.record(
  {
    project_id: hostId,
    created_at: fc.nat(),
    arrival: fc.nat(),
    events: fc.subarray([...eventNames]),
    published: fc.array(fc.nat(), { maxLength: 3 }),
    as_of: fc.nat(),
    deliveries: fc.array(hostId, { maxLength: 3 }),
    status: text,
    email: text,
    number: text,
    resends: fc.nat(),
    list_ids: fc.array(hostId, { maxLength: 3 }),
    own_fields: fc.dictionary(fc.constantFrom("order.shipped", "a.b"), text),
  },
  {
    requiredKeys: [
      "project_id",
      "created_at",
      "arrival",
      "events",
      "published",
      "as_of",
      "deliveries",
      "status",
      "email",
      "number",
      "resends",
    ],
  },
);

const data = fc.record({ id: hostId, number: text }).map((fields) => ({ ...sampleData, ...fields }));

describe("the row of a record", () => {
  it("is parsed to the values that it was rendered from", () => {
    fc.assert(
      fc.property(fc.nat(), head, data, (version, headOfRow, order) => {
        const json = JSON.stringify(order);
        const row = renderRecordRow({ version, head: headOfRow }, { data: order });
        expect(parseRecordRow(row)).toEqual({ version, head: headOfRow, json });
        expect(readRecordContent(row)).toEqual({ version, arrival: headOfRow.arrival, json });
        expect(readRecordJson(row)).toBe(json);
      }),
    );
  });

  it("keeps its data and version with another head", () => {
    fc.assert(
      fc.property(fc.nat(), head, head, data, (version, before, after, order) => {
        const json = JSON.stringify(order);
        const row = parseRecordRow(renderRecordRow({ version, head: before }, { json }));
        expect(renderRecordRow({ ...row, head: after }, row)).toBe(
          renderRecordRow({ version, head: after }, { data: order }),
        );
      }),
    );
  });

  it("is parsed in the two-line format of older versions", () => {
    const json = '{"id":"ord_1","items":[{"id":"a"},{"id":"b"}]}';
    const row = `[7,"site_1",5,6,["order.created"],["dlv_1"],"new","ada@example.com","1",0]\n${json}`;
    expect(parseRecordRow(row)).toEqual({
      version: 7,
      head: {
        project_id: "site_1",
        created_at: 5,
        arrival: 6,
        events: ["order.created"],
        published: [0],
        as_of: 0,
        deliveries: ["dlv_1"],
        status: "new",
        email: "ada@example.com",
        number: "1",
        resends: 0,
      },
      json,
    });
    expect(readRecordContent(row)).toEqual({ version: 7, arrival: 6, json });
    expect(readRecordJson(row)).toBe(json);
    expect(parseRecordRow(row.replace(",0]", ',0,["list_1"]]')).head.list_ids).toEqual(["list_1"]);
  });

  it.each(eventNames)(
    "starts its data with the id, in whatever order the host sends the fields of %s",
    (name) => {
      const sent = Object.fromEntries(Object.entries(eventCatalogue[name].sampleData).toReversed());
      expect(JSON.stringify(expectRecord(name, sent, { now: 0 }).data)).toMatch(/^\{"id":"/u);
    },
  );
});
