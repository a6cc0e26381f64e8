import { toSecretParts } from "@hookwright/delivery";
import type {
  ExtraHeaders,
  OpenExtraHeaders,
  OpenSigner,
  SealedHeaders,
  Sign,
  SignStandard,
  SigningSecretsRow,
} from "@hookwright/delivery";
import { defaultHeaderPrefix, isReservedHeader } from "@hookwright/domain";
import type { CreatedConsoleWebhook, CustomHeader } from "@hookwright/domain";
import { createSigner, createStandardSigner, toStandardSecret } from "@hookwright/signature/node";
import type { ServerKeys } from "./server-keys.ts";
import { createCredential } from "../rows/credential-rows.ts";

/** Encrypts the secrets of webhooks, signs with them, and opens the headers that go with them. */
export interface Signing {
  /** Encrypts a signing secret for the store. @throws DeliveryError `secret_unreadable` */
  seal(signingSecret: string, webhookId: string): Promise<string>;
  /** Encrypts the owner's own headers for the store. @throws DeliveryError `secret_unreadable` */
  sealHeaders(headers: readonly CustomHeader[], webhookId: string): Promise<SealedHeaders>;
  /** For deliveries: signs with the current secret. @throws DeliveryError `secret_unreadable` */
  readonly openSigner: OpenSigner;
  /**
   * For deliveries and tests: `webhook-signature` is of the current secret and, during a rotation, also of the pending one.
   *
   * @throws DeliveryError `secret_unreadable`
   */
  readonly openExtraHeaders: OpenExtraHeaders;
  /** For tests: signs with the pending secret during a rotation (contract: Secrets). @throws DeliveryError `secret_unreadable` */
  readonly openTestSigner: OpenSigner;
  /** Whether deliveries have the headers of Standard Webhooks. */
  readonly standardWebhooks: boolean;
  /** The prefix of the names of the signed headers. */
  readonly headerPrefix: string;
}

export interface SigningOptions {
  readonly serverKeys: Pick<ServerKeys, "box" | "seal">;
  /** Adds the headers of Standard Webhooks. @default false */
  readonly standardWebhooks?: boolean | undefined;
  /** The prefix of the names of the signed headers. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
}

export function createSigning({
  serverKeys,
  standardWebhooks = false,
  headerPrefix = defaultHeaderPrefix,
}: SigningOptions): Signing {
  const { box } = serverKeys;
  /** A delivery costs one HMAC, two with Standard Webhooks, and no decryption. */
  const signers = new WeakMap<SigningSecretsRow, Sign>();
  const extraHeaders = new WeakMap<SigningSecretsRow, ExtraHeaders>();
  const toSigner = (sealed: string, webhookId: string): Sign => createSigner(box.open(sealed, webhookId));

  function toExtraHeaders(secrets: SigningSecretsRow): ExtraHeaders | undefined {
    const { webhook_id: webhookId, headers, is_brought: isBrought = false } = secrets;
    const ownPrefix = headerPrefix === defaultHeaderPrefix ? undefined : headerPrefix;
    if (!standardWebhooks && ownPrefix === undefined && headers === undefined && !isBrought) return undefined;
    const all = headers && parseHeaders(box.open(headers.sealed, toHeadersContext(webhookId)));
    // The server may have got its prefix after the headers were set.
    const custom = all?.filter(({ name }) => !isReservedHeader(name, headerPrefix));
    const opened = [secrets.current, secrets.pending].flatMap((text) =>
      text === null ? [] : [box.open(text, webhookId)],
    );
    return {
      signStandard: standardWebhooks ? signWithEach(opened) : undefined,
      headerPrefix: ownPrefix,
      custom,
      secrets: custom || isBrought ? [...toSecretParts(custom ?? []), ...opened] : undefined,
    };
  }

  return {
    standardWebhooks,
    headerPrefix,
    seal: serverKeys.seal,
    sealHeaders: async (headers, webhookId) => ({
      names: headers.map(({ name }) => name),
      sealed: await serverKeys.seal(JSON.stringify(headers), toHeadersContext(webhookId)),
    }),
    openSigner(secrets) {
      const known = signers.get(secrets);
      if (known !== undefined) return known;
      const signer = toSigner(secrets.current, secrets.webhook_id);
      signers.set(secrets, signer);
      return signer;
    },
    openExtraHeaders(secrets) {
      const known = extraHeaders.get(secrets);
      if (known !== undefined) return known;
      const opened = toExtraHeaders(secrets);
      if (opened !== undefined) extraHeaders.set(secrets, opened);
      return opened;
    },
    openTestSigner: ({ webhook_id: webhookId, current, pending }) => toSigner(pending ?? current, webhookId),
  };
}

/** Standard Webhooks separates signatures by blanks. A receiver accepts any of them. */
function signWithEach(secrets: readonly string[]): SignStandard {
  const signers = secrets.map(createStandardSigner);
  return (message) => signers.map((sign) => sign(message)).join(" ");
}

/** It differs from the context of signing secrets, so that one cannot be put in the place of the other. */
export function toHeadersContext(webhookId: string): string {
  return `${webhookId}, headers`;
}

function parseHeaders(text: string): readonly CustomHeader[] {
  return JSON.parse(text);
}

/** Creates a signing secret. The HMAC key is the whole text, including the prefix (contract: Secrets). */
export function createSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return createCredential("whsec_", randomBytes);
}

/** The fields with a new secret, of a webhook or a listener. With Standard Webhooks, also in the form that their libraries expect. */
export function showSecret(
  { standardWebhooks }: Pick<Signing, "standardWebhooks">,
  signingSecret: string,
): Pick<CreatedConsoleWebhook, "signing_secret" | "standard_signing_secret"> {
  return {
    signing_secret: signingSecret,
    ...(standardWebhooks && { standard_signing_secret: toStandardSecret(signingSecret) }),
  };
}
