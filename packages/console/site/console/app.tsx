import type { Account, LinkedSession, Session } from "@hookwright/domain";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { createConsoleApi, toApiFailure } from "./api/console-api.ts";
import { Button } from "./parts/buttons.tsx";
import { Dialog } from "./parts/dialogs.tsx";
import { SignIn } from "./screens/sign-in.tsx";
import { SignedIn } from "./signed-in.tsx";
import { hasLinkCode, listenForLinks } from "./state/link-code.ts";
import { takeFromOpener } from "./state/new-tab.ts";
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
    history.replaceState(history.state, "", `#${linked.path ?? "/"}`);
    setLink(undefined);
    setCurrent(linked);
  }

  async function follow(code: string): Promise<void> {
    try {
      const api = createConsoleApi();
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

export interface ForeignLinkProps {
  /** The session of the link, or why it does not work. */
  readonly link: LinkedSession | string;
  /** Whose console is open. */
  readonly account: Account;
  readonly onOpen: (linked: LinkedSession) => void;
  readonly onClose: () => void;
}

/** Asks before a link replaces the console of another account. */
export function ForeignLink({ link, account, onOpen, onClose }: ForeignLinkProps) {
  if (typeof link === "string") {
    return (
      <Dialog title="The link does not work" onClose={onClose}>
        <p>{link}</p>
        <p>
          You are still signed in to <AccountName of={account} />.
        </p>
        <div class="actions end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  }
  const cancel = (): void => {
    onClose();
    // A link works once, so its session would stay valid without a tab.
    const api = createConsoleApi({ token: link.token });
    api.delete("console/api/session").catch(() => undefined);
  };
  return (
    <Dialog title="Open another account?" onClose={cancel}>
      <p>
        You are signed in to <AccountName of={account} />.
      </p>
      <p>
        The link opens the console of <AccountName of={link.account} /> in this tab. It works only now.
      </p>
      <div class="actions end">
        <Button onClick={cancel}>Cancel</Button>
        <Button kind="primary" onClick={() => onOpen(link)}>
          Continue
        </Button>
      </div>
    </Dialog>
  );
}

function AccountName({ of: { name, email } }: { readonly of: Account }) {
  return (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>{" "}
      (<bdi>{email}</bdi>)
    </>
  );
}
