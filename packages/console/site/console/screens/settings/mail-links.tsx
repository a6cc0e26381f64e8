import type { NoticeStop } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { createConsoleApi, toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { FailureNote, Pending, ScreenHeader } from "../../parts/page.tsx";
import { readBranding } from "../../state/page.ts";
import { useRoute } from "../../state/route.ts";
import { useAction, useResource } from "../../state/use-api.ts";

interface LinkProps {
  readonly resource: string;
  /** What the button does. */
  readonly action: string;
  /** The text between the address and the account, before and after the click. */
  readonly texts: readonly [string, string];
}

export function StopPage() {
  return (
    <MailLink
      resource="notice-stops"
      action="Stop these mails"
      texts={["gets mails about the webhooks of", "gets no more mails about"]}
    />
  );
}

export function ConfirmPage() {
  return (
    <MailLink
      resource="notice-confirmations"
      action="Confirm the address"
      texts={["would get mails about the webhooks of", "gets mails about"]}
    />
  );
}

/** What the link of a mail opens, without a sign-in. Nothing happens before the click, because mail scanners follow links. */
function MailLink({ resource, action, texts: [before, after] }: LinkProps) {
  const { segments } = useRoute();
  const [, token = ""] = segments;
  const path = toPath(resource, token);
  const link = useResource<NoticeStop>(token, (signal) =>
    createConsoleApi().get<NoticeStop>(path, { signal }),
  );
  const [isDone, setIsDone] = useState(false);
  const { busy, failure, run } = useAction();
  const act = async (): Promise<void> => {
    if (await run(() => createConsoleApi().post(path))) setIsDone(true);
  };
  return (
    <main class="shared">
      <p class="brand">{readBranding().name}</p>
      <ScreenHeader title={action} />
      <Pending of={link} />
      <FailureNote failure={failure} />
      {link.data === undefined ? null : (
        <>
          <p role={isDone ? "status" : undefined}>
            <bdi>{link.data.to}</bdi> {isDone ? after : before} <bdi>{link.data.account_name}</bdi>.
          </p>
          {isDone ? null : (
            <Button kind="primary" busy={busy} onClick={() => void act()}>
              {action}
            </Button>
          )}
        </>
      )}
    </main>
  );
}
