import { styleText } from "node:util";
import type { DemoAccount, DemoLogin } from "./seed-account.ts";
import type { Receipt } from "./receiver.ts";
import type { TrialCommand } from "./trial-commands.ts";

export interface DemoText {
  readonly url: string;
  readonly account: DemoAccount;
  readonly newAccount: DemoLogin;
  /** Undefined if no delivery arrived in time. */
  readonly receipt: Receipt | undefined;
  /** From the call of `publish` to the verified receipt. */
  readonly elapsedMs: number;
  readonly commands: readonly TrialCommand[];
  /** A URL for webhooks of the user. It accepts every delivery. */
  readonly testUrl: string;
  /** Whether an order is published every three seconds. */
  readonly hasTraffic: boolean;
  readonly colours: boolean;
}

/** Renders the output of `--demo`: the delivery, the sign-in data, and three commands. */
export function renderDemo(text: DemoText): string {
  const { url, account, newAccount, receipt, elapsedMs, commands, testUrl, hasTraffic, colours } = text;
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
          `  ${paint("yellow", "!")} ${paint("bold", "The demo's delivery has not arrived yet.")} See the log for the reason.`,
        ]),
    "",
    row("API key", account.apiKey),
    row("Console", `${url}/console`),
    row("Reference", `${url}/reference`),
    row("e-mail", account.email),
    row("password", account.password),
    row(
      "new shop",
      `${newAccount.email}, password ${newAccount.password}: an empty account for your first steps`,
    ),
    row("test URL", `${testUrl} accepts every delivery of your own webhooks`),
    ...(hasTraffic
      ? [row("traffic", "an order every 3 s, to three endpoints. --demo-traffic off stops it")]
      : []),
    ...commands.flatMap(({ title, command }) => ["", paint("dim", `  # ${title}`), indent(command)]),
    "",
    paint("dim", "  Ctrl-C stops the server."),
    "",
  ].join("\n");
}

/** A line break inside the quoted text is followed by spaces only inside the JSON, where that is harmless. */
function indent(command: string): string {
  return command.replaceAll(/^/gmu, "  ");
}

/** Renders one line for each later delivery. */
export function renderReceipt({ event, deliveryId, status, verified }: Receipt): string {
  return verified
    ? `  ✓ ${event} received, signature verified (${deliveryId}, response ${status})`
    : `  ! a delivery was refused because its signature is wrong (${deliveryId}, response ${status})`;
}
