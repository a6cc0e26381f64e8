import { completionCommand } from "./commands/completion.ts";
import { deliveriesCommand } from "./commands/deliveries.ts";
import { deliveryCommand } from "./commands/delivery.ts";
import { listenCommand } from "./commands/listen.ts";
import { loginCommand } from "./commands/login.ts";
import { logoutCommand } from "./commands/logout.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { operateCommand } from "./commands/operate.ts";
import { recoverCommand } from "./commands/recover.ts";
import { resendCommand } from "./commands/resend.ts";
import { triggerCommand } from "./commands/trigger.ts";
import { verifyCommand } from "./commands/verify.ts";
import { webhooksCommand } from "./commands/webhooks.ts";
import { whoamiCommand } from "./commands/whoami.ts";
import type { Command } from "./command-line/command.ts";

export const commands: readonly Command[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  listenCommand,
  triggerCommand,
  verifyCommand,
  webhooksCommand,
  deliveriesCommand,
  deliveryCommand,
  resendCommand,
  recoverCommand,
  operateCommand,
  completionCommand,
  mcpCommand,
];
