/** Sends a mail. Injected: the standalone server has SMTP, an embedding program its own way. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
