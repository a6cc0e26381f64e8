import type { LinkedSession, Session } from "@hookwright/domain";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { createConsoleApi, toApiFailure } from "./api/console-api.ts";
import { ForeignLink } from "./foreign-link.tsx";
import { SignIn } from "./screens/sign-in.tsx";
import { SignedIn } from "./signed-in.tsx";
import { hasLinkCode, listenForLinks } from "./state/link-code.ts";
import { takeFromOpener } from "./state/new-tab.ts";
import { readBaseUrl } from "./state/page.ts";
import { readSession, saveSession } from "./state/session.ts";

/** Shows the sign-in or the console, and switches between them. */
export function App() {
  const [session, setSession] = useState<Session | LinkedSession | undefined>(
    () => readSession() ?? takeFromOpener(),
  );
  const current = useRef(session);
  const [isStarting, setIsStarting] = useState(hasLinkCode);
  const [reason, setReason] = useState("");
  /** The session of a link to another account, or why a link does not work. */
  const [link, setLink] = useState<LinkedSession | string>();
  const setCurrent = (next: Session | LinkedSession | undefined): void => {
    current.current = next;
    saveSession(next);
    setSession(next);
  };
  /** Ignores a late response to an earlier session. */
  const endSession = useCallback((ended: string, reason: string): void => {
    if (current.current?.token !== ended) return;
    setCurrent(undefined);
    setReason(reason);
  }, []);

  function openLinked(linked: LinkedSession): void {
    // The screen may show something of the other account.
    history.replaceState(history.state, "", "#/");
    setLink(undefined);
    setCurrent(linked);
  }

  async function follow(code: string): Promise<void> {
    try {
      const api = createConsoleApi({ baseUrl: readBaseUrl() });
      const linked = await api.post<LinkedSession>("console/api/session/link", { code });
      const isForeign = current.current !== undefined && current.current.account.id !== linked.account.id;
      if (isForeign) setLink(linked);
      else openLinked(linked);
    } catch (error) {
      const { message } = toApiFailure(error);
      if (current.current === undefined) setReason(message);
      else setLink(message);
    }
    setIsStarting(false);
  }

  useEffect(() => {
    if (session !== undefined) saveSession(session);
    return listenForLinks((code) => void follow(code));
  }, []);
  // Empty, because the sign-in form would disappear again.
  if (isStarting) return null;
  if (session === undefined) return <SignIn reason={reason} onSignedIn={setCurrent} />;
  return (
    <>
      <SignedIn key={session.token} session={session} onEnd={endSession} />
      {link === undefined ? null : (
        <ForeignLink
          link={link}
          account={session.account}
          onOpen={openLinked}
          onClose={() => setLink(undefined)}
        />
      )}
    </>
  );
}
