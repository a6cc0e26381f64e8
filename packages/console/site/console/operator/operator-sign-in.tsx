import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { createConsoleApi } from "../api/console-api.ts";
import { Button } from "../parts/buttons.tsx";
import { Field } from "../parts/fields.tsx";
import { FailureNote } from "../parts/page.tsx";
import { readBaseUrl } from "../state/page.ts";
import { useTitle } from "../state/route.ts";
import { useAction } from "../state/use-action.ts";

export interface OperatorSignInProps {
  /** Why the user must sign in again. */
  readonly reason: string;
  readonly onSignedIn: (token: string) => void;
}

/** Asks for a host token, and checks it with a request that needs the scope `read`. */
export function OperatorSignIn({ reason, onSignedIn }: OperatorSignInProps) {
  useTitle("Operator sign-in");
  const [token, setToken] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const action = useAction();
  const signIn = (): Promise<boolean> =>
    action.run(async () => {
      await createConsoleApi({ baseUrl: readBaseUrl(), token }).list("host/v1/accounts", {
        query: { limit: "1" },
      });
      onSignedIn(token);
    });
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
      >
        <h1>Operator console</h1>
        <p class="quiet">For the staff of this service. It needs a host token with the scope “read”.</p>
        {reason === "" || action.failure !== undefined ? null : <p class="note waiting">{reason}</p>}
        <FailureNote failure={action.failure} />
        <Field label="Host token" hint="It stays in this tab. It is not saved in the browser.">
          {(control) => (
            <input
              {...control}
              ref={input}
              type="password"
              autoComplete="off"
              required
              value={token}
              onInput={(event) => setToken(event.currentTarget.value)}
            />
          )}
        </Field>
        <Button kind="primary" type="submit" busy={action.busy}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
