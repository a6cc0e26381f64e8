import type { Session } from "@hookwright/domain";
import { sessionName } from "./session.ts";

type Message =
  /** A new tab asks the others for their session. */
  | { readonly type: "wanted" }
  | { readonly type: "session"; readonly session: Session }
  | { readonly type: "signed out"; readonly token: string };

export interface SessionSharing {
  /** Signs out the other tabs, and no longer shares the session. */
  readonly signOut: () => void;
  /** No longer shares the session. */
  readonly close: () => void;
}

export interface SessionSharingOptions {
  readonly session: Session;
  /** Called after a sign-out in another tab, which may have had another session. */
  readonly onSignedOut: (token: string) => void;
}

/** A new tab shows the sign-in form after this time. */
const waitMs = 300;
/** A busy tab may answer later. */
const lateMs = 10_000;

/**
 * Asks the open tabs of this console for their session, so that a link in a new tab needs no second sign-in. Only pages
 * of the same origin and browser profile receive the messages, and nothing is stored.
 *
 * @param onLate called with the session of a tab that answers within 10 s, but not in time
 * @returns undefined if no tab answers in time
 */
export function requestSession(onLate: (session: Session) => void): Promise<Session | undefined> {
  return new Promise((resolve) => {
    let isLate = false;
    const channel = openChannel((message) => {
      // After a sign-out here or elsewhere, a tab that has not noticed it may still answer.
      if (message.type !== "wanted") channel?.close();
      if (message.type !== "session") return;
      if (isLate) onLate(message.session);
      else resolve(message.session);
    });
    if (channel === undefined) return resolve(undefined);
    channel.post({ type: "wanted" });
    setTimeout(() => {
      isLate = true;
      resolve(undefined);
    }, waitMs);
    setTimeout(channel.close, lateMs);
  });
}

/** Gives the session to new tabs that ask for it, and takes part in the sign-out of all tabs. */
export function shareSession({ session, onSignedOut }: SessionSharingOptions): SessionSharing {
  const channel = openChannel((message) => {
    if (message.type === "wanted") channel?.post({ type: "session", session });
    else if (message.type === "signed out") onSignedOut(message.token);
  });
  return {
    signOut() {
      channel?.post({ type: "signed out", token: session.token });
      channel?.close();
    },
    close: () => channel?.close(),
  };
}

interface Channel {
  readonly post: (message: Message) => void;
  readonly close: () => void;
}

/** Undefined if the browser refuses a channel, for example without permission for storage. */
function openChannel(onMessage: (message: Message) => void): Channel | undefined {
  let isOpen = true;
  try {
    // Each console of an origin has its own channel, as it has its own session.
    const channel = new BroadcastChannel(sessionName());
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (isOpen) onMessage(data);
    });
    return {
      post(message) {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have a target origin
        if (isOpen) channel.postMessage(message);
      },
      close() {
        isOpen = false;
        channel.close();
      },
    };
  } catch {
    return undefined;
  }
}
