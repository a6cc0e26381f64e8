import type { Logger } from "hookwright";
import { createLogMailer } from "./log-mailer.ts";
import type { Mailer } from "./log-mailer.ts";

export interface MailerOptions {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly logger: Logger;
}

export async function createMailer({ smtpUrl, mailFrom, logger }: MailerOptions): Promise<Mailer> {
  if (smtpUrl === undefined) return createLogMailer(logger);
  const { createSmtpMailer } = await import("./smtp-mailer.ts");
  return createSmtpMailer({ url: smtpUrl, from: mailFrom ?? senderOf(smtpUrl) });
}

/** A mail server takes the address of the account it was signed in with more gladly than one that was made up. */
function senderOf(smtpUrl: string): string {
  const { username, hostname } = new URL(smtpUrl);
  const user = decode(username);
  return user.includes("@") ? user : `hookwright@${hostname}`;
}

/** As the mailer does it, which signs in with a name that is not encoded right as it stands. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
