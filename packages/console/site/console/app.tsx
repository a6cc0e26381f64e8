import type { Session } from "@hookwright/domain";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { SignIn } from "./screens/sign-in.tsx";
import { SignedIn } from "./signed-in.tsx";
import { saveSession, readSession } from "./state/session.ts";
import { requestSession } from "./state/session-sharing.ts";

/** Shows the sign-in or the console, and switches between them. */
export function App() {
  const [session, setSession] = useState<Session | undefined>(readSession);
  const [isStarting, setIsStarting] = useState(session === undefined);
  const [reason, setReason] = useState("");
  const token = useRef(session?.token);
  const startSession = (started: Session): void => {
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
    void requestSession().then((shared) => {
      if (shared !== undefined) startSession(shared);
      setIsStarting(false);
    });
  }, []);
  // Empty, because the sign-in form would disappear again if another tab answers.
  if (isStarting) return null;
  if (session === undefined) return <SignIn reason={reason} onSignedIn={startSession} />;
  return <SignedIn key={session.token} session={session} onEnd={endSession} />;
}
