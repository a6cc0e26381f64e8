import { styleText } from "node:util";
import type { DemoAccount } from "./seed-account.ts";
import type { Receipt } from "./receiver.ts";
import type { TrialCommand } from "./trial-commands.ts";

export interface DemoText {
  readonly url: string;
  readonly account: DemoAccount;
  /** Undefined when no delivery came in time. */
  readonly receipt: Receipt | undefined;
  /** From the call of `publish` to the verified receipt. */
  readonly elapsedMs: number;
  readonly commands: readonly TrialCommand[];
  readonly colours: boolean;
}

/** What `--demo` shows: the delivery that just happened, the way in, and three commands. */
export function renderDemo({ url, account, receipt, elapsedMs, commands, colours }: DemoText): string {
  const paint = (style: "bold" | "dim" | "green" | "yellow", text: string): string =>
    colours ? styleText(style, text, { validateStream: false }) : text;
  const row = (label: string, value: string): string => `  ${paint("dim", label.padEnd(11))}${value}`;
  return [
    "",
    ...(receipt?.verified === true
      ? [
          `  ${paint("green", "✓")} ${paint("bold", `Signed delivery sent and verified in ${elapsedMs.toFixed(1)} ms`)}`,
          "",
          row("event", receipt.event),
          row("delivery", receipt.deliveryId),
          row("answer", `${receipt.status}, signature verified`),
        ]
      : [
          `  ${paint("yellow", "!")} ${paint("bold", "The demo's delivery has not come back yet.")} The log says why.`,
        ]),
    "",
    row("API key", account.apiKey),
    row("Console", `${url}/console`),
    row("Reference", `${url}/reference`),
    row("e-mail", account.email),
    row("password", account.password),
    ...commands.flatMap(({ title, command }) => ["", paint("dim", `  # ${title}`), indent(command)]),
    "",
    paint("dim", "  Ctrl-C stops the server."),
    "",
  ].join("\n");
}

/** A line end inside a quoted text may be followed by white space only where that is JSON, as it is here. */
function indent(command: string): string {
  return command.replaceAll(/^/gmu, "  ");
}

/** One line for each delivery that comes later. */
export function renderReceipt({ event, deliveryId, status, verified }: Receipt): string {
  return verified
    ? `  ✓ ${event} received, signature verified (${deliveryId}, answered ${status})`
    : `  ! a delivery was refused: its signature is not right (${deliveryId}, answered ${status})`;
}
