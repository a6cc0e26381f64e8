import type { Session } from "@hookwright/domain";
import { useCallback, useRef, useState } from "preact/hooks";
import { SignIn } from "./screens/sign-in.tsx";
import { SignedIn } from "./signed-in.tsx";
import { keepSession, readSession } from "./state/session.ts";

/** Either the sign-in or the console, and the way between the two. */
export function App() {
  const [session, setSession] = useState<Session | undefined>(readSession);
  const [reason, setReason] = useState("");
  const token = useRef(session?.token);
  const begin = (begun: Session): void => {
    token.current = begun.token;
    keepSession(begun);
    setSession(begun);
  };
  /** An answer to an earlier session, which comes late, says nothing of this one. */
  const end = useCallback((ended: string, reason: string): void => {
    if (token.current !== ended) return;
    token.current = undefined;
    keepSession(undefined);
    setReason(reason);
    setSession(undefined);
  }, []);
  if (session === undefined) return <SignIn reason={reason} onSignedIn={begin} />;
  return <SignedIn key={session.token} session={session} onEnd={end} />;
}
