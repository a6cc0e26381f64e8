import { rowsOf, textOf } from "../api/fields.ts";
import { getEventType, listEventTypes } from "../api/operations.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { printFieldTable } from "../render/field-table.ts";
import { printTable, splitLines } from "../render/render-rows.ts";

export const eventsCommand: Command = {
  name: "events",
  description: "List the events of the server, or the fields of one",
  group: "Develop",
  words: [
    { name: "EVENT", description: "Its fields and a sample. Without it, all are listed", isOptional: true },
  ],
  options: [{ flag: "sample", description: "Print a body of the event, as webhooks get it" }],
  examples: [
    { command: "hookwright events", explanation: "What a webhook can subscribe to" },
    { command: "hookwright events order.paid", explanation: "The fields of its data" },
    { command: "hookwright events order.paid --sample > order-paid.json", explanation: "A body for tests" },
  ],
  async run({ words: [event], options, output, connect }) {
    const isSample = options.has("sample");
    if (event === undefined) {
      if (isSample) throw ownError("wrong_usage", "--sample needs the name of an event.");
      const types = await listEventTypes(await connect());
      const cells = types.map((type) => [textOf(type, "event") ?? "", textOf(type, "description") ?? ""]);
      printTable(output, ["EVENT", "DESCRIPTION"], cells);
      output.document(types);
      return exitStatus.done;
    }
    const type = await getEventType(await connect(), event);
    if (isSample) {
      for (const line of splitLines(JSON.stringify(type["sample"], null, 2))) output.line(line);
      output.document(type["sample"]);
      return exitStatus.done;
    }
    output.line(textOf(type, "description") ?? "");
    output.line();
    printFieldTable(output, rowsOf(type, "fields"));
    output.document(type);
    return exitStatus.done;
  },
};
