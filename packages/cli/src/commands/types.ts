import { readFile } from "node:fs/promises";
import { bodyForms } from "@hookwright/domain";
import { readEvents } from "../api/read-events.ts";
import { CliError, exitStatus, messageOf, ownError } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { readChoice } from "../command-line/read-values.ts";
import { replaceFile } from "../terminal/replace-file.ts";
import { renderJsonSchema, renderTypeScript } from "../types/render-types.ts";

const renderers = { typescript: renderTypeScript, "json-schema": renderJsonSchema } as const;
const formats = ["typescript", "json-schema"] as const;
const originLine = /The events of .* Do not edit\./u;

export const typesCommand: Command = {
  name: "types",
  description: "Write TypeScript or JSON Schema of the server's events",
  group: "Develop",
  common: ["server", "profile", "json"],
  options: [
    { flag: "out", value: "FILE", description: "Write this file. Without it, the types are printed" },
    { flag: "format", value: "FORMAT", description: `${formats.join(" or ")}. Default: typescript` },
    {
      flag: "body-form",
      value: "FORM",
      description: `The form of the bodies, ${bodyForms.join(" or ")}. Default: that of the server`,
    },
    { flag: "check", description: "Write nothing. The exit status is 1 if the file of --out is not current" },
  ],
  examples: [
    {
      command: "hookwright types --server https://hooks.example.com --out events.d.ts",
      explanation: "Types for a receiver: verify<EventData>({ … })",
    },
    {
      command: "hookwright types --server https://hooks.example.com --out events.d.ts --check",
      explanation: "In CI: the exit status is 1 if the server has other events now",
    },
    {
      command: "hookwright types --format json-schema > events.schema.json",
      explanation: "For other languages",
    },
  ],
  notes: [
    "It needs no key. The file has all events of the server, and says how to make it again. The same events always make the same file.",
    "The types allow what the schema of an event allows, or more: what TypeScript cannot express is unknown.",
  ],
  async run({ options, output, program, resolve, connectTo }) {
    const format = readChoice(options, "format", formats) ?? "typescript";
    const form = readChoice(options, "body-form", bodyForms);
    const file = options.get("out");
    const isCheck = options.has("check");
    if (isCheck && file === undefined)
      throw ownError("wrong_usage", "--check compares a file with the server. Name it with --out FILE.");
    const { server } = await resolve();
    const found = await readEvents(connectTo(server, undefined));
    if (found.events.length === 0)
      throw new CliError(
        "resource_not_found",
        `${server} has no events yet, so there are no types. Its operator declares them with PUT /host/v1/event-types/{name}.`,
        { exitStatus: exitStatus.negative },
      );
    const flags = [
      ...(format === "typescript" ? [] : [` --format ${format}`]),
      ...(form === undefined ? [] : [` --body-form ${form}`]),
    ].join("");
    const origin = `The events of ${server}, written by \`hookwright types --server ${server}${flags}\`. Do not edit.`;
    const content = renderers[format](found, { origin, bodyForm: form ?? found.bodyForm });
    const names = found.events.map(({ event }) => event);
    const summary = { server, format, events: names, file: file ?? null };
    if (file === undefined) {
      // It is a program, so it is not escaped as lines for people are. No text of the server can end a comment or a string in it.
      if (output.isJson) output.document({ ...summary, content });
      else program.print(content);
      return exitStatus.done;
    }
    if (isCheck) {
      const old = withoutReturns(await readOld(file));
      // The file may have been made from another address of the server.
      const [oldOrigin = origin] = originLine.exec(old) ?? [];
      const isCurrent = old === `${content.replace(originLine, () => oldOrigin)}\n`;
      output.document({ ...summary, is_current: isCurrent });
      output.line(
        isCurrent ? `${file} is current.` : `${file} is not current. Write it again without --check.`,
      );
      return isCurrent ? exitStatus.done : exitStatus.negative;
    }
    await replaceFile(file, `${content}\n`).catch((error: unknown) => {
      throw ownError("file_unusable", `--out: ${file} cannot be written: ${reasonOf(error)}.`, error);
    });
    output.document(summary);
    output.line(`${file} has ${names.length === 1 ? "1 event" : `${names.length} events`} of ${server}.`);
    return exitStatus.done;
  },
};

/** Empty if the file does not exist. */
async function readOld(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw ownError("file_unusable", `--out: ${file} cannot be read: ${reasonOf(error)}.`, error);
  }
}

/** Git may have given the file the line ends of Windows. */
function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Without the names of the files, of which one is temporary. */
function reasonOf(error: unknown): string {
  return messageOf(error).replace(/, \w+ '.*$/u, "");
}
