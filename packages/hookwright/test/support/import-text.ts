import { runCommand } from "../../../cli/src/command-line/run-command.ts";
import { importWebhooksCommand } from "../../../cli/src/commands/import-webhooks.ts";
import { createTestProgram } from "../../../cli/test/support/test-program.ts";
import type { World } from "./open-console.ts";

interface ImportOptions {
  readonly hostToken: string;
  readonly commandLine?: readonly string[];
}

/** Runs `hookwright import-webhooks -` with a text as the standard input. */
export async function importText(world: World, text: string, { hostToken, commandLine = [] }: ImportOptions) {
  const program = createTestProgram({ environment: { HOOKWRIGHT_HOST_TOKEN: hostToken } });
  const status = await runCommand({
    program: {
      ...program,
      async *read() {
        yield new TextEncoder().encode(text);
      },
    },
    command: importWebhooksCommand,
    commandLine: ["-", ...commandLine],
    listed: [],
    fetch: (input, init) => world.hookwright.fetch(new Request(input, init)),
  });
  return { status, printed: program.printed.join("\n"), complained: program.complained.join("\n") };
}
