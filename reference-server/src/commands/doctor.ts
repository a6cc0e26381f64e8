import { hideSecrets, secretsInUrl } from "@hookwright/domain";
import { formatChecks } from "hookwright";
import { checkServer } from "../checks/check-server.ts";
import type { Option } from "../options/option.ts";
import { options } from "../options/options.ts";
import { readSettings } from "../options/read-settings.ts";
import type { Settings } from "../options/read-settings.ts";
import { ServerError } from "../server-error.ts";
import { storageOption } from "./shared-storage.ts";
import type { ServerCommand } from "./server-command.ts";

const addresses: readonly Option<unknown>[] = [
  options.port,
  options.host,
  options.adminPort,
  options.adminHost,
];

/** `hookwright doctor` checks what the server needs, and says what to fix. */
export const doctorCommand: ServerCommand = {
  options: [
    storageOption,
    ...addresses.map(({ flag = "", variable, description: text }) => ({
      flag,
      value: flag.endsWith("port") ? "PORT" : "HOST",
      description: `${text} (${variable})`,
    })),
    {
      flag: "proxy",
      value: "URL",
      description: "HTTP proxy for deliveries (HOOKWRIGHT_PROXY). Default: none",
    },
    {
      flag: "probe-url",
      value: "URL",
      description:
        "An https: endpoint that must be reachable. Only a TLS handshake is made. Default: https://example.com, which may be unreachable",
    },
    { flag: "json", description: "Print one JSON document" },
  ],
  notes: [
    "Give it the same variables as the server, and run it as the same user. It may run beside servers. It writes one row to the storage and removes it, creates no tables, and sends no mail.",
    "It prints one line for each check: ok, warning, failed with what to fix, or skipped with the reason. What serve refuses at its start has failed, in the same words. It exits with 0 if no check has failed, otherwise with 1.",
  ],
  async run(given, program) {
    const settings = readSettings({
      flags: given,
      demo: false,
      environment: program.environment,
      isTerminal: false,
    });
    const probeUrl = parseProbeUrl(given["probe-url"]);
    const checks = await checkServer({ settings, environment: program.environment, probeUrl });
    const ok = checks.every(({ status }) => status !== "failed");
    const text =
      given["json"] === undefined ? formatChecks(checks) : JSON.stringify({ ok, checks }, undefined, 2);
    program.print(hideSecrets(text, secretsOf(settings)));
    return ok ? 0 : 1;
  },
};

/** @throws {ServerError} `invalid_option` */
function parseProbeUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && url.protocol === "https:" && url.username === "" && url.password === "") return text;
  throw new ServerError("invalid_option", "--probe-url must be a URL such as https://hooks.example.com.");
}

function secretsOf(settings: Settings): readonly string[] {
  const { storage, outbox, smtpUrl, proxy, secret = "", secretPrevious = "" } = settings;
  const urls = [
    storage.type === "redis" || storage.type === "postgres" ? storage.url : undefined,
    outbox,
    smtpUrl,
    proxy,
  ];
  return [secret, secretPrevious, ...urls.flatMap(secretsInUrl)];
}
