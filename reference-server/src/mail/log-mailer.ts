import type { HookwrightOptions, Logger } from "hookwright";

export type Mailer = NonNullable<HookwrightOptions["mailer"]>;

/** Without a mail server, each mail is one log line (contract: The server). */
export function createLogMailer(logger: Logger): Mailer {
  return {
    send: async ({ to, subject, text }) => logger.info("mail", { to, subject, text }),
  };
}
