import { eventNames } from "@hookwright/domain";
import { rowsOf, textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { countListeners, getEventType, triggerEvent } from "../api/operations.ts";
import { exitStatus } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { parseJsonObject, readInput } from "../command-line/read-values.ts";
import { setPath } from "../command-line/set-path.ts";
import { printFieldTable } from "../render/field-table.ts";

export const triggerCommand: Command = {
  name: "trigger",
  description: "Send a realistic event to the running listeners",
  group: "Develop",
  words: [{ name: "EVENT", description: "The name of the event, such as order.created", values: eventNames }],
  options: [
    {
      flag: "data",
      value: "FILE",
      description: "Merge this JSON object into the record. - is standard input",
    },
    { flag: "set", value: "PATH=VALUE", description: "Set one field. May be repeated", repeats: true },
    { flag: "site", value: "ID", description: "The site of the event" },
    { flag: "test", description: "Mark the delivery as a test, with X-Service-Test: 1" },
    { flag: "fields", description: "Print the fields of the event, and send nothing" },
  ],
  examples: [
    { command: "hookwright trigger order.created", explanation: "Send an order" },
    {
      command: "hookwright trigger order.paid --set total=10 --set customer.email=ada@example.com",
      explanation: "Set fields of the record",
    },
    {
      command: "hookwright trigger booking.created --data booking.json",
      explanation: "Take fields from a file",
    },
    { command: "hookwright trigger order.paid --fields", explanation: "See what can be set" },
  ],
  notes: [
    "Only listeners get the event, never webhooks. Your program cannot tell it from the event of a site, and acts on it. With --test it is marked like a test from the console, which a receiver accepts without acting on it.",
    "The record has a new id each time, because receivers ignore an event that they have had. It does not exist on the server.",
    "A VALUE is JSON if it can be read as JSON, otherwise text. Write a text that looks like a number as --set 'number=\"1001\"'.",
  ],
  async run({ words: [event = ""], options, output, program, connect }) {
    if (options.has("fields")) {
      const fields = rowsOf(await getEventType(await connect(), event), "fields");
      printFieldTable(output, fields);
      output.document(fields);
      return exitStatus.done;
    }
    const file = options.get("data");
    let data: Row | undefined;
    if (file !== undefined) data = parseJsonObject("data", file, await readInput("data", file, program));
    for (const assignment of options.getAll("set")) data = setPath(data ?? {}, assignment);
    const api = await connect();
    const isTest = options.has("test");
    const triggered = await triggerEvent(api, { event, site: options.get("site"), data, isTest });
    const listeners = countListeners(triggered);
    output.line(
      `${textOf(triggered, "id") ?? event} was sent to ${listeners} ${listeners === 1 ? "listener" : "listeners"}${isTest ? ", as a test" : ""}.`,
    );
    if (listeners === 0)
      output.remark("hookwright: no listener is running. Start `hookwright listen` in another terminal.");
    output.document(triggered);
    return exitStatus.done;
  },
};
