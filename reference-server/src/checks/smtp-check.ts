import type { CheckFinding } from "hookwright";

/** Less than the time of a check, so that the mail server is named. */
const timeoutMs = 14_000;

/** Signs in to the mail server. Sends no mail. */
export async function checkSmtp(url: string | undefined): Promise<CheckFinding> {
  if (url === undefined)
    return { status: "skipped", message: "SMTP_URL is not set, so each mail is a log line" };
  const { createTransport } = await import("nodemailer");
  const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  try {
    await transport.verify();
    const { username, host } = new URL(url);
    return { status: "ok", message: `${host} accepts ${username === "" ? "connections" : "the sign-in"}` };
  } finally {
    transport.close();
  }
}
