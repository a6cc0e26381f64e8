import type { Person } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { FormDialog } from "../../parts/dialogs.tsx";
import { TextField } from "../../parts/fields.tsx";
import { Facts, Pending } from "../../parts/page.tsx";
import { loginId } from "../../parts/people.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useRows } from "../../state/use-api.ts";

/** What the user may change of their own login. */
export function OwnLogin() {
  const { person, onAccountChange } = useConsole();
  const people = useRows<Person>(toPath("people"));
  const [changing, setChanging] = useState<"details" | "password">();
  const own = people.data?.find(({ id }) => id === person?.id);
  const close = (): void => setChanging(undefined);
  return (
    <section>
      <h2>You</h2>
      <Pending of={people} rem={8} />
      {people.data === undefined ? null : own === undefined || own.id === loginId ? (
        <p class="quiet">
          {own === undefined
            ? "You signed in with a link, so you have no password here. Your name comes from the page that had the link."
            : "You use the login of the account. Change its name, time zone and password where you got the account."}
        </p>
      ) : (
        <>
          <Facts
            facts={{
              Name: <bdi>{own.name}</bdi>,
              "E-mail": <bdi>{own.email}</bdi>,
              "Time zone": own.timezone ?? "not known",
              Role: own.role,
            }}
          />
          <div class="actions">
            <Button
              changes="own"
              label="Change your name and time zone"
              onClick={() => setChanging("details")}
            >
              Change
            </Button>
            <Button changes="own" onClick={() => setChanging("password")}>
              Change password
            </Button>
          </div>
          {changing === "details" ? (
            <DetailsDialog
              of={own}
              onChanged={() => {
                people.reload();
                onAccountChange?.();
              }}
              onClose={close}
            />
          ) : null}
          {changing === "password" ? <PasswordDialog email={own.email} onClose={close} /> : null}
        </>
      )}
    </section>
  );
}

interface DetailsDialogProps {
  readonly of: Person;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function DetailsDialog({ of, onChanged, onClose }: DetailsDialogProps) {
  const { api } = useConsole();
  const [name, setName] = useState(of.name ?? "");
  const [timezone, setTimezone] = useState(of.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  return (
    <FormDialog
      title="Your name and time zone"
      labels={{ name: "Your name", timezone: "Time zone" }}
      values={{ name, timezone }}
      changes="own"
      submit="Save"
      onSubmit={async () => {
        await api.patch(toPath("me"), { name, timezone });
        onChanged();
        onClose();
      }}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          <TextField
            label="Your name"
            problem={problemAt("name")}
            input={{ required: true, maxLength: 200, autocomplete: "name" }}
            value={name}
            onChange={setName}
          />
          <TextField
            label="Time zone"
            hint="An IANA name, such as Europe/London."
            problem={problemAt("timezone")}
            input={{ required: true, maxLength: 64, autocomplete: "off" }}
            value={timezone}
            onChange={setTimezone}
          />
        </>
      )}
    </FormDialog>
  );
}

interface PasswordDialogProps {
  readonly email: string;
  readonly onClose: () => void;
}

function PasswordDialog({ email, onClose }: PasswordDialogProps) {
  const { api, toast } = useConsole();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const limits = { type: "password", required: true, maxLength: 1_000 } as const;
  return (
    <FormDialog
      title="Your password"
      labels={{ "password.current": "Current password", "password.new": "New password" }}
      changes="own"
      submit="Change password"
      onSubmit={async () => {
        await api.patch(toPath("me"), { password: { current, new: next } });
        toast("The password was changed.");
        onClose();
      }}
      onClose={onClose}
    >
      {(problemAt) => (
        <>
          {/* Password managers save the new password under it. */}
          <input type="email" autocomplete="username" value={email} readOnly hidden />
          <TextField
            label="Current password"
            problem={problemAt("password.current")}
            input={{ ...limits, autofocus: true, autocomplete: "current-password" }}
            value={current}
            onChange={setCurrent}
          />
          <TextField
            label="New password"
            hint="At least 8 characters. Your other sessions end."
            problem={problemAt("password.new")}
            input={{ ...limits, minLength: 8, autocomplete: "new-password" }}
            value={next}
            onChange={setNext}
          />
        </>
      )}
    </FormDialog>
  );
}
