import type { LinkedSession } from "@hookwright/domain";
import type { Hookwright } from "../../src/create-hookwright.ts";

/** Opens a session of the console with a link, which needs no password. */
export async function openLinkedSession(
  { sessions }: Pick<Hookwright, "sessions">,
  accountId: string,
): Promise<LinkedSession> {
  const { url } = await sessions.createLink(accountId);
  return sessions.exchangeLink({ code: url.slice(url.lastIndexOf("/") + 1) });
}

/** The token of such a session. */
export async function openSession(
  hookwright: Pick<Hookwright, "sessions">,
  accountId = "acc_1",
): Promise<string> {
  return (await openLinkedSession(hookwright, accountId)).token;
}
