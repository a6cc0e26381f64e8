import { useState } from "preact/hooks";
import { OperatorFrame } from "./operator-frame.tsx";
import { readHostToken, saveHostToken } from "../state/session.ts";
import { OperatorSignIn } from "./operator-sign-in.tsx";

/** The pages for the host's staff. They call the host API with a host token. */
export function OperatorApp() {
  const [token, setToken] = useState(readHostToken);
  const [reason, setReason] = useState("");
  const keep = (next: string | undefined, why = ""): void => {
    saveHostToken(next);
    setReason(why);
    setToken(next);
  };
  if (token === undefined) return <OperatorSignIn reason={reason} onSignedIn={keep} />;
  return <OperatorFrame key={token} token={token} onEnd={(why) => keep(undefined, why)} />;
}
