import type { NoticeStop } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { createConsoleApi, toApiFailure, toPath } from "../../api/console-api.ts";
import type { ApiFailure } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { FailureNote, Pending, ScreenHeader } from "../../parts/page.tsx";
import { readBranding } from "../../state/page.ts";
import { useRoute } from "../../state/route.ts";
import { useResource } from "../../state/use-api.ts";

/** What the link of a mail opens, without a sign-in. Nothing stops before the click, because mail scanners follow links. */
export function StopPage() {
  const { segments } = useRoute();
  const [, token = ""] = segments;
  const path = toPath("notice-stops", token);
  const stop = useResource<NoticeStop>(token, (signal) =>
    createConsoleApi().get<NoticeStop>(path, { signal }),
  );
  const [isStopped, setIsStopped] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  async function end(): Promise<void> {
    try {
      await createConsoleApi().post(path);
      setIsStopped(true);
    } catch (error) {
      setFailure(toApiFailure(error));
    }
  }
  return (
    <main class="shared">
      <p class="brand">{readBranding().name}</p>
      <ScreenHeader title="Stop these mails" />
      <Pending of={stop} />
      <FailureNote failure={failure} />
      {stop.data === undefined ? null : isStopped ? (
        <p role="status">
          <bdi>{stop.data.to}</bdi> gets no more mails about <bdi>{stop.data.account_name}</bdi>.
        </p>
      ) : (
        <>
          <p>
            <bdi>{stop.data.to}</bdi> gets mails about the webhooks of <bdi>{stop.data.account_name}</bdi>.
          </p>
          <Button kind="primary" onClick={() => void end()}>
            Stop these mails
          </Button>
        </>
      )}
    </main>
  );
}
