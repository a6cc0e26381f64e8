import type { Session } from "@hookwright/domain";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { createConsoleApi } from "../api/console-api.ts";
import { Button } from "../parts/buttons.tsx";
import { TextField } from "../parts/fields.tsx";
import type { TextFieldProps } from "../parts/fields.tsx";
import { FailureNote, ReferenceLink } from "../parts/page.tsx";
import { readBranding } from "../state/page.ts";
import { useTitle } from "../state/route.ts";
import { useAction } from "../state/use-api.ts";

export interface SignInProps<Kept> {
  /** Why the user must sign in again. */
  readonly reason: string;
  readonly onSignedIn: (kept: Kept) => void;
}

/** The sign-in of an account's owner. */
export function SignIn({ reason, onSignedIn }: SignInProps<Session>) {
  const { name, logo } = readBranding();
  return (
    <SignInForm
      title="Sign in"
      heading={
        <h1 class="brand">
          {logo === undefined ? null : <img src={logo} alt="" />}
          <span>{name}</span>
        </h1>
      }
      intro="Sign in with the e-mail address and password of your account."
      reason={reason}
      fields={[
        { label: "E-mail", input: { type: "email", autoComplete: "username", required: true } },
        { label: "Password", input: { type: "password", autoComplete: "current-password", required: true } },
      ]}
      onSubmit={async ([email, password]) =>
        onSignedIn(await createConsoleApi().post<Session>("console/api/session", { email, password }))
      }
    >
      <p class="quiet">
        <ReferenceLink />
      </p>
    </SignInForm>
  );
}

/** Asks for a host token, and checks it with a request that needs the scope `read`. */
export function OperatorSignIn({ reason, onSignedIn }: SignInProps<string>) {
  return (
    <SignInForm
      title="Operator sign-in"
      heading={<h1>Operator console</h1>}
      intro="For the staff of this service. It needs a host token with the scope “read”."
      reason={reason}
      fields={[
        {
          label: "Host token",
          hint: "It stays in this tab. It is not saved in the browser.",
          input: { type: "password", autoComplete: "off", required: true },
        },
      ]}
      onSubmit={async ([token = ""]) => {
        await createConsoleApi({ token }).list("host/v1/accounts", { query: { limit: "1" } });
        onSignedIn(token);
      }}
    />
  );
}

interface SignInFormProps {
  /** The title of the tab. */
  readonly title: string;
  readonly heading: ComponentChildren;
  readonly intro: string;
  readonly reason: string;
  readonly fields: readonly Pick<TextFieldProps, "label" | "hint" | "input">[];
  /** Called with the values of the fields. */
  readonly onSubmit: (values: readonly string[]) => Promise<void>;
  readonly children?: ComponentChildren;
}

function SignInForm({ title, heading, intro, reason, fields, onSubmit, children }: SignInFormProps) {
  useTitle(title);
  const [values, setValues] = useState<readonly string[]>(fields.map(() => ""));
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector("input")?.focus(), []);
  const reasonId = useId();
  const action = useAction();
  return (
    <main class="sign-in">
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void action.run(() => onSubmit(values));
        }}
      >
        {heading}
        <p class="quiet">{intro}</p>
        {reason === "" || action.failure !== undefined ? null : (
          <p class="note info" id={reasonId}>
            {reason}
          </p>
        )}
        <FailureNote failure={action.failure} />
        {fields.map((field, index) => (
          <TextField
            key={field.label}
            {...field}
            // It gets the focus when the screen opens, so a screen reader reads the reason too.
            describedBy={index === 0 ? reasonId : undefined}
            value={values[index] ?? ""}
            onChange={(value) => setValues((before) => before.with(index, value))}
          />
        ))}
        <Button kind="primary" type="submit" busy={action.busy}>
          Sign in
        </Button>
        {children}
      </form>
    </main>
  );
}
