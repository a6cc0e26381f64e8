import type { Erasure, StartedErasure } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { Button } from "../parts/buttons.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { TextField } from "../parts/fields.tsx";
import { formatCount } from "../parts/format.ts";
import { Facts, Pending } from "../parts/page.tsx";
import { Time } from "../parts/time.tsx";
import { useConsole } from "../state/console-context.ts";
import { useGet } from "../state/use-api.ts";
import { usePolling } from "../state/use-live.ts";

export interface ErasePersonProps {
  /** The path of the account in the host API. */
  readonly path: string;
  /** Called when the audit log has a new entry. */
  readonly onStarted: () => void;
}

/** Erases the data of a person from an account, and shows the receipt. */
export function ErasePerson({ path, onStarted }: ErasePersonProps) {
  const [isOpen, setOpen] = useState(false);
  const [id, setId] = useState<string>();
  return (
    <>
      <p>Contacts, subscriptions and records with an address, and what the logs have of them.</p>
      <div class="actions">
        <Button changes kind="danger" onClick={() => setOpen(true)}>
          Erase a person's data…
        </Button>
      </div>
      {id === undefined ? null : <Receipt key={id} path={`${path}/erasures/${id}`} />}
      {isOpen ? (
        <EraseDialog
          path={path}
          onClose={() => setOpen(false)}
          onStarted={(started) => {
            setOpen(false);
            setId(started.id);
            onStarted();
          }}
        />
      ) : null}
    </>
  );
}

interface EraseDialogProps {
  readonly path: string;
  readonly onClose: () => void;
  readonly onStarted: (started: StartedErasure) => void;
}

function EraseDialog({ path, onClose, onStarted }: EraseDialogProps) {
  const { api } = useConsole();
  const [email, setEmail] = useState("");
  return (
    <FormDialog
      title="Erase a person's data?"
      labels={{ email: "E-mail address" }}
      values={{ email }}
      submit="Erase"
      kind="danger"
      disabled={email.trim() === ""}
      onClose={onClose}
      onSubmit={async () => onStarted(await api.post<StartedErasure>(`${path}/erasures`, { email }))}
    >
      {(problemAt) => (
        <>
          <p>
            It cannot be undone. Deliveries about the person that still wait are cancelled. The erasure itself
            sends no events. People who sign in with the address stay.
          </p>
          <TextField
            label="E-mail address"
            hint="Of the customer or subscriber, in upper or lower case."
            input={{ type: "email", required: true, maxLength: 254, autofocus: true }}
            value={email}
            problem={problemAt("email")}
            onChange={setEmail}
          />
        </>
      )}
    </FormDialog>
  );
}

/** What an erasure has removed, so far or in the end. */
function Receipt({ path }: { readonly path: string }) {
  const erasure = useGet<Erasure>(path);
  const { data, failure, loading, reload } = erasure;
  usePolling({
    isPending: !loading && data?.status !== "finished",
    dueAt: null,
    hasFailed: failure !== undefined,
    poll: reload,
  });
  return (
    <>
      <Pending of={erasure} />
      {data === undefined ? null : (
        <Facts
          facts={{
            Receipt: <code>{data.id}</code>,
            Status:
              data.finished_at === null ? (
                "Running"
              ) : (
                <>
                  Finished <Time at={data.finished_at} />
                </>
              ),
            Contacts: formatCount(data.contacts),
            Subscriptions: formatCount(data.subscribers),
            "Other records": formatCount(data.records),
            "Deliveries cancelled or redacted": formatCount(data.deliveries),
          }}
        />
      )}
    </>
  );
}
