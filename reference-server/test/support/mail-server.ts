import { once } from "node:events";
import { text } from "node:stream/consumers";
import { callbackify } from "node:util";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly to: readonly string[];
  /** The received message with its headers, without the soft line breaks of quoted-printable. */
  readonly message: string;
}

export interface MailServer extends AsyncDisposable {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** The user names of authenticated clients. */
  readonly users: readonly string[];
}

/**
 * A mail server on this machine. With `hangs` it accepts connections without responding. It defers the first `putsOff`
 * mails.
 */
export async function startMailServer({
  hangs = false,
  putsOff = 0,
}: { readonly hangs?: boolean; readonly putsOff?: number } = {}): Promise<MailServer> {
  let leftToPutOff = putsOff;
  const mails: ReceivedMail[] = [];
  const users: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    onConnect(_, callback) {
      if (!hangs) callback();
    },
    onAuth({ username = "" }, _, callback) {
      users.push(username);
      callback(null, { user: username });
    },
    onMailFrom(_, __, callback) {
      if (leftToPutOff-- > 0) callback(Object.assign(new Error("come back later"), { responseCode: 451 }));
      else callback();
    },
    onData(stream, { envelope }, callback) {
      const keep = async (): Promise<void> => {
        const message = (await text(stream)).replaceAll("=\r\n", "");
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), message });
      };
      callbackify(keep)((error) => callback(error));
    },
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("the mail server has no port");
  return {
    url: `smtp://hooks%40example.com:password@127.0.0.1:${address.port}`,
    mails,
    users,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
