import type { Account, LinkedSession } from "@hookwright/domain";
import { createConsoleApi } from "./api/console-api.ts";
import { Button } from "./parts/buttons.tsx";
import { Dialog } from "./parts/dialogs.tsx";
import { readBaseUrl } from "./state/page.ts";

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
    const api = createConsoleApi({ baseUrl: readBaseUrl(), token: link.token });
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
