import type { Session } from "@hookwright/domain";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { SignIn } from "./screens/sign-in.tsx";
import { SignedIn } from "./signed-in.tsx";
import { saveSession, readSession } from "./state/session.ts";
import { startSession, takeLinkCode } from "./state/start-session.ts";

/** Shows the sign-in or the console, and switches between them. */
export function App() {
  const [linkCode] = useState(takeLinkCode);
  const [session, setSession] = useState<Session | undefined>(() =>
    linkCode === undefined ? readSession() : undefined,
  );
  const [isStarting, setIsStarting] = useState(session === undefined);
  const [reason, setReason] = useState("");
  const token = useRef(session?.token);
  const keepSession = (started: Session): void => {
    token.current = started.token;
    saveSession(started);
    setSession(started);
  };
  /** Ignores a late response to an earlier session. */
  const endSession = useCallback((ended: string, reason: string): void => {
    if (token.current !== ended) return;
    token.current = undefined;
    saveSession(undefined);
    setReason(reason);
    setSession(undefined);
  }, []);
  useEffect(() => {
    if (!isStarting) return;
    const keepUnlessSignedIn = (late: Session): void => {
      if (token.current === undefined) keepSession(late);
    };
    void startSession(linkCode, keepUnlessSignedIn).then((start) => {
      if (start.session !== undefined) keepSession(start.session);
      setReason(start.reason);
      setIsStarting(false);
    });
  }, []);
  // Empty, because the sign-in form would disappear again: other tabs usually answer in time.
  if (isStarting) return null;
  if (session === undefined) return <SignIn reason={reason} onSignedIn={keepSession} />;
  return <SignedIn key={session.token} session={session} onEnd={endSession} />;
}
