import type { Session } from "@hookwright/domain";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { createConsoleApi } from "../api/console-api.ts";
import { Button } from "../parts/buttons.tsx";
import { Field } from "../parts/fields.tsx";
import { FailureNote, ReferenceLink } from "../parts/page.tsx";
import { readBaseUrl, readBranding } from "../state/page.ts";
import { useTitle } from "../state/route.ts";
import { useAction } from "../state/use-action.ts";

export interface SignInProps {
  /** Why the user must sign in again. */
  readonly reason: string;
  readonly onSignedIn: (session: Session) => void;
}

export function SignIn({ reason, onSignedIn }: SignInProps) {
  useTitle("Sign in");
  const { name, logo } = readBranding();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const reasonId = useId();
  const action = useAction();
  const signIn = (): Promise<boolean> =>
    action.run(async () => {
      const api = createConsoleApi({ baseUrl: readBaseUrl() });
      onSignedIn(await api.post<Session>("console/api/session", { email, password }));
    });
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
      >
        <h1 class="brand">
          {logo === undefined ? null : <img src={logo} alt="" />}
          <span>{name}</span>
        </h1>
        <p class="quiet">Sign in with the e-mail address and password of your account.</p>
        {reason === "" || action.failure !== undefined ? null : (
          <p class="note waiting" id={reasonId}>
            {reason}
          </p>
        )}
        <FailureNote failure={action.failure} />
        <Field label="E-mail">
          {(control) => (
            <input
              {...control}
              ref={first}
              // It gets the focus when the screen opens, so a screen reader reads the reason too.
              aria-describedby={reasonId}
              type="email"
              autoComplete="username"
              required
              value={email}
              onInput={(event) => setEmail(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Password">
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onInput={(event) => setPassword(event.currentTarget.value)}
            />
          )}
        </Field>
        <Button kind="primary" type="submit" busy={action.busy}>
          Sign in
        </Button>
        <p class="quiet">
          <ReferenceLink />
        </p>
      </form>
    </main>
  );
}
