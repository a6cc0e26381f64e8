/** Sends mails. The reference server uses SMTP. */
export interface Mailer {
  /** After an error the mail is retried after 5 s, 1 min and 10 min, unless the process ends. Errors are logged. */
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}
