import type { Account } from "@hookwright/domain";
import { Button } from "./parts/button.tsx";
import { ReferenceLink } from "./parts/reference-link.tsx";
import { useAction } from "./state/use-action.ts";
import { hrefTo } from "./state/use-route.ts";

const sections = [
  ["webhooks", "Webhooks"],
  ["deliveries", "Deliveries"],
  ["requests", "Requests"],
  ["keys", "API keys"],
] as const;

export interface NavigationProps {
  /** The section that is shown. */
  readonly section: string;
  readonly account: Account;
  readonly onSignOut: () => Promise<void>;
}

/** The navigation, the signed-in account and the sign-out button. */
export function Navigation({ section, account, onSignOut }: NavigationProps) {
  const action = useAction();
  return (
    <nav aria-label="Console">
      <p class="brand">Developer console</p>
      <ul>
        {sections.map(([name, title]) => (
          <li key={name}>
            <a href={hrefTo([name])} aria-current={section === name ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
        <li>
          <ReferenceLink />
        </li>
      </ul>
      <div class="account">
        <p>
          <strong>{account.name}</strong>
          <br />
          <span class="quiet">{account.email}</span>
        </p>
        <Button busy={action.busy} onClick={() => void action.run(onSignOut)}>
          Sign out
        </Button>
      </div>
    </nav>
  );
}
