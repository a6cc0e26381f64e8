/** Sends a mail. Injected: the standalone server has SMTP, an embedding program its own way. */
export interface Mailer {
  /** What it throws is logged, and the mail tried again after 5 s, 1 min and 10 min, for as long as the process lives. */
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
