import type { Session } from "@hookwright/domain";
import { useCallback, useState } from "preact/hooks";
import { SignIn } from "./screens/sign-in.tsx";
import { SignedIn } from "./signed-in.tsx";
import { keepSession, readSession } from "./state/session.ts";

/** Either the sign-in or the console, and the way between the two. */
export function App() {
  const [session, setSession] = useState<Session | undefined>(() => readSession(Date.now()));
  const [reason, setReason] = useState("");
  const begin = (begun: Session): void => {
    keepSession(begun);
    setSession(begun);
  };
  const end = useCallback((reason: string): void => {
    keepSession(undefined);
    setReason(reason);
    setSession(undefined);
  }, []);
  if (session === undefined) return <SignIn reason={reason} onSignedIn={begin} />;
  return <SignedIn key={session.token} session={session} onEnd={end} />;
}
