import { packageSource } from "@hookwright/domain";
import { quoteIfNeeded } from "./cli-commands.ts";

export const snippetLanguages = {
  Node: "Node",
  Python: "Python",
  Go: "Go",
  PHP: "PHP",
  Ruby: "Ruby",
  Java: "Java",
} as const;
export type SnippetLanguage = keyof typeof snippetLanguages;

export interface Snippet {
  /** The command that gets the verifier from the server. */
  readonly install: string;
  /** Where the verifier then is. Undefined: npm has installed it. */
  readonly note: string | undefined;
  /** The call, which the readme of the verifier shows too. */
  readonly call: string;
}

interface SnippetOptions {
  /** The URL of the server with its base path. */
  readonly server: string;
  /** Undefined: that of the specification. */
  readonly headerPrefix: string | undefined;
  /** The version of all packages. @default that of this one */
  readonly version?: string;
}

/** How a receiver gets the verifier for a language, and calls it. `WEBHOOK_SECRET` has one secret, or several. */
export function renderSnippet(
  language: SnippetLanguage,
  { server, headerPrefix, version }: SnippetOptions,
): Snippet {
  const folder = `package/verifiers/${language.toLowerCase()}`;
  const isNode = language === "Node";
  return {
    // npm has the package after the first release. The others always come from the server.
    install: isNode
      ? `npm install ${quoteIfNeeded(packageSource("signature", server, version === undefined ? {} : { version }))}`
      : `curl -fsS ${quoteIfNeeded(`${server}/console/signature.tgz`)} | tar -xz ${folder}`,
    note: isNode
      ? undefined
      : `The verifier is then in ${folder}. Its README.md says how to add it to a project.`,
    call: calls[language]((option) => (headerPrefix === undefined ? "" : option(headerPrefix))),
  };
}

/** Renders an option for the prefix of the headers, if the server has one of its own. */
type WithPrefix = (option: (prefix: string) => string) => string;

const raw = "body: the bytes that came, before anything parses them.";

const calls: Readonly<Record<SnippetLanguage, (withPrefix: WithPrefix) => string>> = {
  Node: (withPrefix) => `import { verify } from "@hookwright/signature";

// ${raw}
// A refusal throws, and says why.
const secrets = (process.env.WEBHOOK_SECRET ?? "").split(",");
const event = await verify({ body, headers: request.headers, secrets${withPrefix((prefix) => `, headerPrefix: "${prefix}"`)} });`,
  Python: (withPrefix) => `import os
from hookwright_signature import verify

# ${raw}
# A refusal raises, and says why.
event = verify(body, headers, os.environ["WEBHOOK_SECRET"].split(",")${withPrefix((prefix) => `, header_prefix="${prefix}"`)})`,
  Go: (withPrefix) => `import signature "github.com/hookwright/hookwright/packages/signature/verifiers/go"

// ${raw}
// The error of a refusal says why.
event, err := signature.Verify(body, request.Header, strings.Split(os.Getenv("WEBHOOK_SECRET"), ",")${withPrefix((prefix) => `, signature.WithHeaderPrefix("${prefix}")`)})`,
  PHP: (withPrefix) => `use Hookwright\\Signature\\Verifier;

// The bytes that came, before anything parses them.
// A refusal throws, and says why.
$body = file_get_contents('php://input');
$event = Verifier::verify($body, getallheaders(), explode(',', (string) getenv('WEBHOOK_SECRET'))${withPrefix((prefix) => `, headerPrefix: '${prefix}'`)});`,
  Ruby: (withPrefix) => `require "hookwright/signature"

# ${raw}
# A refusal raises, and says why.
event = Hookwright::Signature.verify(body, headers, ENV.fetch("WEBHOOK_SECRET").split(",")${withPrefix((prefix) => `, header_prefix: "${prefix}"`)})`,
  Java: (withPrefix) => `import io.github.hookwright.signature.*;

// ${raw}
// A refusal throws, and says why.
Verifier verifier = Verifier.of(List.of(System.getenv("WEBHOOK_SECRET").split(",")))${withPrefix((prefix) => `.withHeaderPrefix("${prefix}")`)};
Event event = verifier.verify(body, headers);`,
};
