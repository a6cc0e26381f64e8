import type { ConsoleLink } from "@hookwright/domain";
import { Button } from "../parts/button.tsx";
import { FailureNote } from "../parts/failure-note.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-action.ts";

/** Opens the console of an account in another tab, with a link that works once and changes nothing. */
export function OpenAccount({ accountId }: { readonly accountId: string }) {
  const { api } = useConsole();
  const action = useAction();
  const open = (): Promise<boolean> =>
    action.run(async () => {
      const path = `host/v1/accounts/${encodeURIComponent(accountId)}/console-sessions`;
      const { url } = await api.post<ConsoleLink>(path, { read_only: true });
      // The other tab must not reach the host token of this one.
      window.open(new URL(url, location.origin), "_blank", "noopener");
    });
  return (
    <>
      <Button busy={action.busy} label={`Open console of ${accountId}`} onClick={() => void open()}>
        Open console
      </Button>
      <FailureNote failure={action.failure} />
    </>
  );
}
