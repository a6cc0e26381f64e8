import { completionCommand } from "./commands/completion.ts";
import { deliveriesCommand } from "./commands/deliveries.ts";
import { deliveryCommand } from "./commands/delivery.ts";
import { eventsCommand } from "./commands/events.ts";
import { importWebhooksCommand } from "./commands/import-webhooks.ts";
import { issuesCommand } from "./commands/issues.ts";
import { listenCommand } from "./commands/listen.ts";
import { loginCommand } from "./commands/login.ts";
import { logoutCommand } from "./commands/logout.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { operateCommand } from "./commands/operate.ts";
import { profilesCommand } from "./commands/profiles.ts";
import { recoverCommand } from "./commands/recover.ts";
import { replayCommand } from "./commands/replay.ts";
import { resendCommand } from "./commands/resend.ts";
import { triggerCommand } from "./commands/trigger.ts";
import { typesCommand } from "./commands/types.ts";
import { verifyCommand } from "./commands/verify.ts";
import { webhooksCommand } from "./commands/webhooks.ts";
import { whoamiCommand } from "./commands/whoami.ts";
import { listOptions, toUsage } from "./command-line/command.ts";
import type { Command, ListedCommand } from "./command-line/command.ts";
import { runCommand } from "./command-line/run-command.ts";

const commands: readonly Command[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  profilesCommand,
  listenCommand,
  eventsCommand,
  typesCommand,
  triggerCommand,
  verifyCommand,
  replayCommand,
  webhooksCommand,
  deliveriesCommand,
  deliveryCommand,
  issuesCommand,
  resendCommand,
  recoverCommand,
  operateCommand,
  importWebhooksCommand,
  completionCommand,
  mcpCommand,
];

/** The commands for integrators, which the standalone server offers too. */
export const integratorCommands: readonly ListedCommand[] = commands.map((command) => ({
  name: command.name,
  description: command.description,
  group: command.group,
  options: listOptions(toUsage(command)),
  ...(command.words === undefined ? {} : { words: command.words }),
  start: (program, commandLine, listed) => runCommand({ program, command, commandLine, listed }),
}));
