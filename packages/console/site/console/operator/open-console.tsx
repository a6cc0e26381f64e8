import type { ConsoleLink, ConsoleLinkInput } from "@hookwright/domain";
import { useState } from "preact/hooks";
import type { ConsoleApi } from "../api/console-api.ts";
import { Button } from "../parts/buttons.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { TextField } from "../parts/fields.tsx";
import { FailureNote } from "../parts/page.tsx";
import { useConsole } from "../state/console-context.ts";
import { useAction } from "../state/use-api.ts";

export interface OpenConsoleProps {
  readonly accountId: string;
  /** The page of the console. @default the first one */
  readonly path?: readonly string[];
}

/** Opens the console of an account in another tab, with a link that works once and changes nothing. */
export function OpenConsole({ accountId, path = [] }: OpenConsoleProps) {
  const { api } = useConsole();
  const action = useAction();
  const open = (): Promise<boolean> =>
    action.run(() => openConsole(api, accountId, { read_only: true, path: toPage(path) }));
  return (
    <>
      <Button
        busy={action.busy}
        label={`Open console of ${[accountId, ...path].join(" ")}`}
        onClick={() => void open()}
      >
        Open console
      </Button>
      <FailureNote failure={action.failure} />
    </>
  );
}

/** Opens the console so that it can change everything. The owner reads the reason. */
export function OpenToChange({ accountId, path = [] }: OpenConsoleProps) {
  const { api } = useConsole();
  const [reason, setReason] = useState<string>();
  const close = (): void => setReason(undefined);
  return (
    <>
      <Button onClick={() => setReason("")}>Open to change…</Button>
      {reason === undefined ? null : (
        <FormDialog
          title={`Change ${accountId} in its console`}
          labels={{ reason: "Reason" }}
          values={{ reason }}
          submit="Open console"
          disabled={reason.trim() === ""}
          onClose={close}
          onSubmit={async () => {
            await openConsole(api, accountId, { reason, path: toPage(path) });
            close();
          }}
        >
          {(problemAt) => (
            <TextField
              label="Reason"
              hint="The owner reads it in the activity of the account, in the entry of this link."
              input={{ required: true, maxLength: 500 }}
              value={reason}
              problem={problemAt("reason")}
              onChange={setReason}
            />
          )}
        </FormDialog>
      )}
    </>
  );
}

/** The address of a page of the console, behind the `#`. */
export function toPage(path: readonly string[]): string | undefined {
  return path.length === 0 ? undefined : `/${path.map(encodeURIComponent).join("/")}`;
}

/** Opens a new link in another tab. */
export async function openConsole(
  api: ConsoleApi,
  accountId: string,
  input: Partial<ConsoleLinkInput>,
): Promise<void> {
  const sessions = `host/v1/accounts/${encodeURIComponent(accountId)}/console-sessions`;
  const { url } = await api.post<ConsoleLink>(sessions, input);
  // This page has the path of the console also below a proxy that removes a prefix, and the link has not.
  const here = new URL(new URL(url, location.origin).hash, location.href);
  // The other tab must not reach the host token of this one.
  window.open(here, "_blank", "noopener");
}
