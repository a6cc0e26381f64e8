import type { Attempt } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { BodyText } from "../../parts/body-text.tsx";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Field } from "../../parts/field.tsx";
import { checkSecret, readHeader } from "./check-secret.ts";

/** What was signed, and a check of a secret that runs in the browser: the secret is sent nowhere. */
export function SignatureCheck({ request }: { readonly request: Attempt["request"] }) {
  const [secret, setSecret] = useState("");
  const [outcome, setOutcome] = useState("");
  const timestamp = readHeader(request.headers, "X-Service-Timestamp") ?? "";
  const signature = readHeader(request.headers, "X-Service-Signature") ?? "";
  const signed = `${timestamp}.${request.body}`;
  return (
    <div class="signature">
      <p>
        The signature is an HMAC-SHA256 of <code>{"{timestamp}.{raw body}"}</code> with the signing secret, in
        hexadecimal. Compare it with each <code>v1=</code> value of the header.
      </p>
      <BodyText name="Signed text">{signed}</BodyText>
      <p class="quiet">
        <code class="url">X-Service-Signature: {signature}</code>
      </p>
      <div class="actions">
        <CopyButton text={signed}>Copy signed text</CopyButton>
        <CopyButton text={signature}>Copy signature</CopyButton>
      </div>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void checkSecret(secret, request).then(setOutcome);
        }}
      >
        <Field label="Check a secret" hint="The check runs in this browser. The secret is sent nowhere.">
          {(control) => (
            <input
              {...control}
              type="text"
              autocomplete="off"
              spellcheck={false}
              placeholder="whsec_…"
              value={secret}
              onInput={({ currentTarget }) => setSecret(currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions">
          <Button type="submit">Check</Button>
          <span role="status">{outcome}</span>
        </div>
      </form>
    </div>
  );
}
