import type { Hookwright } from "../../src/create-hookwright.ts";

/** Opens a session of the console with a link, which needs no password. Returns its token. */
export async function openSession(
  { sessions }: Pick<Hookwright, "sessions">,
  accountId = "acc_1",
): Promise<string> {
  const { url } = await sessions.createLink(accountId);
  return (await sessions.exchangeLink({ code: url.slice(url.lastIndexOf("/") + 1) })).token;
}
