import { nameSignedHeaders } from "@hookwright/domain";
import type { SigningSecret } from "@hookwright/domain";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Secret, SecretForm } from "../state/console-context.ts";
import { readHeaderPrefix } from "../state/page.ts";
import { BodyText } from "./bodies.tsx";
import { Button, CopyButton, copyText } from "./buttons.tsx";
import { Dialog } from "./dialogs.tsx";
import { Field, Segments } from "./fields.tsx";

export interface SecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
}

/** Shows a secret that is shown only once. Escape does not close it, and the browser asks before a reload. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const { title, otherForms = [], text, next } = secret;
  const [message, setMessage] = useState("");
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return (
    <Dialog title={title}>
      <div>{text}</div>
      {[secret, ...otherForms].map((form) => (
        <SecretField key={form.value} form={form} onMessage={setMessage} />
      ))}
      <p class="quiet" role="status">
        {message}
      </p>
      <p class="note warn">It is shown only once. Nobody can look it up later, not even we.</p>
      {next}
      <div class="actions end">
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}

/** The form of a signing secret for libraries for Standard Webhooks, if the server sends their headers and it differs. */
export function toStandardForm({
  signing_secret: ours,
  standard_signing_secret: value,
}: SigningSecret): readonly SecretForm[] {
  return value === undefined || value === ours ? [] : [{ label: "For Standard Webhooks libraries", value }];
}

interface SecretFieldProps {
  readonly form: SecretForm;
  readonly onMessage: (message: string) => void;
}

function SecretField({ form: { label, value }, onMessage }: SecretFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async (): Promise<void> => {
    if (await copyText(value)) return onMessage("Copied.");
    field.current?.select();
    onMessage("Selected. Copy it with Ctrl+C or ⌘C.");
  };
  return (
    <Field label={label}>
      {(control) => (
        <div class="secret">
          <textarea
            {...control}
            ref={field}
            readOnly
            rows={2}
            value={value}
            autoComplete="off"
            spellcheck={false}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button onClick={copy}>Copy</Button>
        </div>
      )}
    </Field>
  );
}

const languages = { Node: "Node", Python: "Python", Go: "Go", PHP: "PHP", Ruby: "Ruby" };
type Language = keyof typeof languages;

/** The name of a header as CGI, PHP and Rack pass it. */
function toVariable(header: string): string {
  return `HTTP_${header.toUpperCase().replaceAll("-", "_")}`;
}

/** @param headerPrefix undefined: that of the specification */
function renderSnippets(headerPrefix: string | undefined): Readonly<Record<Language, string>> {
  const { timestamp, signature } = nameSignedHeaders(headerPrefix);
  const options = `{ body, headers: request.headers, secrets: process.env.WEBHOOK_SECRET${headerPrefix === undefined ? "" : `, headerPrefix: "${headerPrefix}"`} }`;
  return {
    Node: `import { verify } from "@hookwright/signature";

// body: the bytes that came, before anything parses them. It throws if the signature is wrong.
const event = await verify(${options});`,
    Python: `import hashlib, hmac, os

# raw_body: the bytes that came, before anything parses them.
message = headers["${timestamp}"].encode() + b"." + raw_body
expected = "v1=" + hmac.new(os.environ["WEBHOOK_SECRET"].encode(), message, hashlib.sha256).hexdigest()
given = headers["${signature}"].split(",")
genuine = any(hmac.compare_digest(each.strip(), expected) for each in given)`,
    Go: `// rawBody: the bytes that came, before anything parses them.
mac := hmac.New(sha256.New, []byte(os.Getenv("WEBHOOK_SECRET")))
mac.Write([]byte(r.Header.Get("${timestamp}") + "."))
mac.Write(rawBody)
expected := "v1=" + hex.EncodeToString(mac.Sum(nil))
genuine := false
for _, given := range strings.Split(r.Header.Get("${signature}"), ",") {
	genuine = genuine || hmac.Equal([]byte(strings.TrimSpace(given)), []byte(expected))
}`,
    PHP: `// The bytes that came, before anything parses them.
$rawBody = file_get_contents('php://input');
$message = $_SERVER['${toVariable(timestamp)}'] . '.' . $rawBody;
$expected = 'v1=' . hash_hmac('sha256', $message, getenv('WEBHOOK_SECRET'));
$genuine = false;
foreach (explode(',', $_SERVER['${toVariable(signature)}']) as $given) {
    $genuine = hash_equals($expected, trim($given)) || $genuine;
}`,
    Ruby: `# The bytes that came, before anything parses them.
raw_body = request.body.read
message = request.get_header("${toVariable(timestamp)}") + "." + raw_body
expected = "v1=" + OpenSSL::HMAC.hexdigest("SHA256", ENV["WEBHOOK_SECRET"], message)
given = request.get_header("${toVariable(signature)}").split(",")
genuine = given.any? { |each| Rack::Utils.secure_compare(each.strip, expected) }`,
  };
}

/** How a receiver checks the signature, in five languages. The secret is in the variable `WEBHOOK_SECRET`. */
export function VerifySnippet() {
  const [language, setLanguage] = useState<Language>("Node");
  const snippet = renderSnippets(readHeaderPrefix())[language];
  return (
    <div class="snippet">
      <div class="actions">
        <Segments label="Language" value={language} choices={languages} onChoose={setLanguage} />
        <CopyButton text={snippet}>Copy</CopyButton>
      </div>
      <BodyText name={`Verification in ${language}`}>{snippet}</BodyText>
      {/* `verify` does this itself. */}
      {language === "Node" ? null : (
        <p class="quiet">Also refuse a timestamp that is more than five minutes old.</p>
      )}
    </div>
  );
}
