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

/** The default sender is the signed-in account, because mail servers accept it more often than an invented address. */
function senderOf(smtpUrl: string): string {
  const { username, hostname } = new URL(smtpUrl);
  const user = decode(username);
  return user.includes("@") ? user : `hookwright@${hostname}`;
}

/** Decodes as the mailer does, which uses a malformed name unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
