import type { Invitation, Session } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { createConsoleApi, toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { TextField } from "../../parts/fields.tsx";
import { FailureNote, Pending } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { readBranding } from "../../state/page.ts";
import { useRoute, useTitle } from "../../state/route.ts";
import { saveSession } from "../../state/session.ts";
import { useAction, useResource } from "../../state/use-api.ts";
import { roleTexts } from "./role-texts.ts";

/** Where an invitation is accepted. Afterwards the console opens. */
export function InvitationPage() {
  const { segments } = useRoute();
  const [, token = ""] = segments;
  useTitle("Invitation");
  const path = toPath("invitations", token);
  const invitation = useResource<Invitation>(token, (signal) =>
    createConsoleApi().get<Invitation>(path, { signal }),
  );
  const { name, logo } = readBranding();
  return (
    <main class="sign-in">
      <div class="invitation">
        <h1 class="brand">
          {logo === undefined ? null : <img src={logo} alt="" />}
          <span>{name}</span>
        </h1>
        <Pending of={invitation} rem={12} />
        {invitation.data === undefined ? null : <AcceptForm path={path} invitation={invitation.data} />}
        {invitation.failure === undefined ? null : (
          <p>
            <a href="#/">Sign in</a>
          </p>
        )}
      </div>
    </main>
  );
}

interface AcceptFormProps {
  readonly path: string;
  readonly invitation: Invitation;
}

function AcceptForm({ path, invitation }: AcceptFormProps) {
  const { account_name, email, role, expires_at } = invitation;
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const action = useAction();
  const accept = async (): Promise<void> => {
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
    const session = await createConsoleApi().post<Session>(path, { name, password, timezone });
    // The link leaves the history, and the console starts.
    history.replaceState(history.state, "", "#/");
    saveSession(session);
    location.reload();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(accept);
      }}
    >
      <p>
        You are invited to the console of{" "}
        <strong>
          <bdi>{account_name}</bdi>
        </strong>{" "}
        as {roleTexts[role]}. The invitation works once, until <Time at={expires_at} />.
      </p>
      <FailureNote failure={action.failure} />
      <TextField
        label="E-mail"
        hint="You sign in with it."
        input={{ type: "email", readOnly: true, autocomplete: "username" }}
        value={email}
        onChange={() => {}}
      />
      <TextField
        label="Your name"
        input={{ required: true, autofocus: true, maxLength: 200, autocomplete: "name" }}
        value={name}
        onChange={setName}
      />
      <TextField
        label="Password"
        hint="At least 8 characters. If your address has several accounts here, choose another password for each."
        input={{
          type: "password",
          required: true,
          minLength: 8,
          maxLength: 1_000,
          autocomplete: "new-password",
        }}
        value={password}
        onChange={setPassword}
      />
      <Button kind="primary" type="submit" busy={action.busy}>
        Join
      </Button>
    </form>
  );
}
