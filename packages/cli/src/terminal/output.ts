import { styleText } from "node:util";
import type { Program } from "./program.ts";
import { escapeControls } from "./escape-controls.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

/** The output of a command: text for people, or JSON for scripts. */
export interface Output {
  readonly isJson: boolean;
  /** A line of text. Nothing in JSON mode. */
  line(text?: string): void;
  /** The one JSON document of a command. Nothing in text mode. */
  document(value: unknown): void;
  /** One JSON document in a line of its own, for commands that follow. Nothing in text mode. */
  row(value: unknown): void;
  /** A remark to the person, on standard error, in both modes. */
  remark(text: string): void;
  /** Colours a text if standard output is a terminal and `NO_COLOR` is not set. */
  paint(style: Style, text: string): string;
}

export function createOutput(program: Program, { isJson }: { readonly isJson: boolean }): Output {
  const noColour = (program.environment["NO_COLOR"] ?? "") !== "" || program.environment["TERM"] === "dumb";
  const isColoured = program.isTerminal && !noColour && !isJson;
  return {
    isJson,
    line: (text = "") => {
      if (!isJson) program.print(escapeControls(text, { keepColours: isColoured }));
    },
    document: (value) => {
      if (isJson) program.print(JSON.stringify(value, null, 2));
    },
    row: (value) => {
      if (isJson) program.print(JSON.stringify(value));
    },
    remark: (text) => program.complain(escapeControls(text)),
    paint: (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text),
  };
}
