import { readFile } from "node:fs/promises";
import { parseJson } from "@hookwright/domain";
import { isRow } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { messageOf, ownError } from "../cli-error.ts";
import { suggest } from "../suggest.ts";
import type { Program } from "../terminal/program.ts";
import type { CommandContext, GivenOptions } from "./command.ts";

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Parses `--since`: an age such as `90s`, `15m`, `1h`, `2d`, `1w`, or a timestamp.
 *
 * @returns milliseconds since the epoch
 * @throws {CliError} `wrong_usage`
 */
export function parseSince(text: string, now: number): number {
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*([smhdw])$/u.exec(text.trim()) ?? [];
  const factor = unitMs[unit];
  const since = factor === undefined ? parseTimestamp(text) : now - Number(amount) * factor;
  if (Number.isNaN(since)) {
    throw ownError(
      "wrong_usage",
      `--since ${JSON.stringify(text)} is no age and no timestamp. Write 30m, 1h, 2d, or 2026-11-20T09:30:00Z.`,
    );
  }
  if (since > now) throw ownError("wrong_usage", `--since ${JSON.stringify(text)} is in the future.`);
  return since;
}

/** `Date.parse` also reads texts such as "1", so the form is checked. */
function parseTimestamp(text: string): number {
  return /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/u.test(text.trim())
    ? Date.parse(text.trim())
    : Number.NaN;
}

/** @throws {CliError} `wrong_usage` */
export function parseSeconds(flag: string, text: string): number {
  const seconds = Number(text);
  if (/^\d+(?:\.\d+)?$/u.test(text)) return seconds;
  throw ownError(
    "wrong_usage",
    `--${flag} must be a number of seconds, 0 or more, but is ${JSON.stringify(text)}.`,
  );
}

/** Splits `order.*,booking.created`. An empty list means all events. */
export function parseEvents(text: string | undefined): readonly string[] {
  return (text ?? "").split(/[\s,]+/u).filter((name) => name !== "");
}

/**
 * Parses a URL on this machine or elsewhere.
 *
 * @throws {CliError} `wrong_usage`
 */
export function parseTarget(flag: string, text: string): URL {
  // `localhost:3000/hook` is a URL with the scheme `localhost:`.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.protocol === "http:" || url.protocol === "https:")) return url;
  const meant = /^(?:\w[\w.-]*)(?::\d+)?(?:\/.*)?$/u.test(text) ? ` Write http://${text}.` : "";
  throw ownError(
    "wrong_usage",
    `--${flag} must be an http or https URL, but is ${JSON.stringify(text)}.${meant}`,
  );
}

/**
 * Reads a file. `-` is standard input.
 *
 * @throws {CliError} `file_unusable`
 */
export async function readInput(flag: string, file: string, program: Program): Promise<Uint8Array> {
  try {
    if (file !== "-") return await readFile(file);
    const parts: Uint8Array[] = [];
    for await (const part of program.read()) parts.push(part);
    return Buffer.concat(parts);
  } catch (error) {
    throw ownError("file_unusable", `--${flag}: ${file} cannot be read: ${messageOf(error)}.`, error);
  }
}

/**
 * Parses a file with a JSON object.
 *
 * @throws {CliError} `wrong_usage`
 */
export function parseJsonObject(flag: string, file: string, bytes: Uint8Array): Row {
  let content: unknown;
  try {
    content = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw ownError("wrong_usage", `--${flag}: ${file} is not JSON: ${messageOf(error)}.`, error);
  }
  if (isRow(content)) return content;
  throw ownError("wrong_usage", `--${flag}: ${file} must contain a JSON object.`);
}

export const secretVariable = "HOOKWRIGHT_SIGNING_SECRET";

/** The signing secret of `--secret` or the variable. */
export function givenSecret({
  options,
  program,
}: Pick<CommandContext, "options" | "program">): string | undefined {
  const given = options.get("secret") ?? program.environment[secretVariable] ?? "";
  return given.trim() === "" ? undefined : given.trim();
}

/**
 * The value of an option that has a list of values. Undefined if the option is not given.
 *
 * @throws {CliError} `wrong_usage`
 */
export function readChoice<Choice extends string>(
  options: GivenOptions,
  flag: string,
  choices: readonly Choice[],
): Choice | undefined {
  const given = options.get(flag);
  const choice = choices.find((each) => each === given);
  if (choice !== undefined || given === undefined) return choice;
  const hint = suggest(given, choices, "");
  throw ownError(
    "wrong_usage",
    `--${flag} must be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}, but is ${JSON.stringify(given)}${hint}.`,
  );
}

/**
 * Parses the values of `--header`. A value may be a secret, so no message repeats it.
 *
 * @throws {CliError} `wrong_usage`
 */
export function parseHeaderOptions(texts: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const text of texts) {
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*\S)\s*$/u.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw ownError("wrong_usage", "--header must be NAME: VALUE, such as 'Authorization: Basic …'.");
    if (Object.hasOwn(headers, name)) throw ownError("wrong_usage", `--header: ${name} is given twice.`);
    headers[name] = value;
  }
  return headers;
}
