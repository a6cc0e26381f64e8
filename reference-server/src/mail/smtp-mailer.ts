import { createTransport } from "nodemailer";
import type { Mailer } from "./log-mailer.ts";

export interface SmtpMailerOptions {
  /** `smtp://user:password@host:587` or `smtps://…` */
  readonly url: string;
  readonly from: string;
}

/** An owner waits for no mail, and a mail server that hangs must not hold sockets for the ten minutes of the default. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends mails over SMTP, each over a connection of its own: there are few. */
export function createSmtpMailer({ url, from }: SmtpMailerOptions): Mailer {
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  return {
    async send({ to, subject, text }) {
      // The address as an object: in a text, a comma would make two recipients of it.
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
    },
  };
}
