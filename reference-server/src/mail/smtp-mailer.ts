import { createTransport } from "nodemailer";
import type { Mailer } from "./log-mailer.ts";

export interface SmtpMailerOptions {
  /** `smtp://user:password@host:587` or `smtps://…` */
  readonly url: string;
  readonly from: string;
}

/** Shorter than the default of ten minutes, so that a mail server that hangs does not hold sockets. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends mails over SMTP, each on a new connection, because there are few. */
export function createSmtpMailer({ url, from }: SmtpMailerOptions): Mailer {
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  return {
    async send({ to, subject, text }) {
      // An address object, because a comma in a text would add a recipient.
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
    },
  };
}
