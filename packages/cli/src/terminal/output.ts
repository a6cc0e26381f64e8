import { styleText } from "node:util";
import type { Program } from "./program.ts";
import { escapeControls, toSafeJson } from "./escape-controls.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow" | "cyan";

/** A text with a colour. The colour is added when it is printed, after the text was escaped. */
export interface Painted {
  readonly style: Style;
  readonly text: string;
}

export type Text = string | Painted;

/** The output of a command: text for people, or JSON for scripts. Control characters are escaped in both. */
export interface Output {
  readonly isJson: boolean;
  /** A line of text, in parts. Nothing in JSON mode. */
  line(...parts: readonly Text[]): void;
  /** The one JSON document of a command. Nothing in text mode. */
  document(value: unknown): void;
  /** One JSON document in a line of its own, for commands that follow. Nothing in text mode. */
  row(value: unknown): void;
  /** A remark to the person, on standard error, in both modes. */
  remark(text: string): void;
}

/** Colours a text, if standard output is a terminal and `NO_COLOR` is not set. */
export function paint(style: Style, text: string): Painted {
  return { style, text };
}

export function createOutput(program: Program, { isJson }: { readonly isJson: boolean }): Output {
  const noColour = (program.environment["NO_COLOR"] ?? "") !== "" || program.environment["TERM"] === "dumb";
  const isColoured = program.isTerminal && !noColour;
  const render = (part: Text): string => {
    if (typeof part === "string") return escapeControls(part);
    const text = escapeControls(part.text);
    return isColoured ? styleText(part.style, text, { validateStream: false }) : text;
  };
  return {
    isJson,
    line: (...parts) => {
      if (!isJson) program.print(parts.map(render).join(""));
    },
    document: (value) => {
      if (isJson) program.print(toSafeJson(value, 2));
    },
    row: (value) => {
      if (isJson) program.print(toSafeJson(value));
    },
    remark: (text) => program.complain(escapeControls(text)),
  };
}
