import { createHmac } from "node:crypto";
import { signSync } from "@hookwright/signature/node";

export interface SecretVariant {
  readonly problem: "secret_white_space" | "secret_quotes" | "secret_prefix" | "secret_decoded";
  /** What is wrong with the secret, and what to do. */
  readonly message: string;
  /** The value of `X-Service-Signature` with the variant. */
  sign(body: Uint8Array, timestamp: string): string;
}

/** Guesses the secret that was meant. The messages never contain the secret. */
export function* listSecretVariants(secret: string): Generator<SecretVariant> {
  const withKey =
    (key: string): SecretVariant["sign"] =>
    (body, timestamp) =>
      signSync({ body, secret: key, timestamp });
  const trimmed = secret.trim();
  if (trimmed === "") return;
  if (trimmed !== secret) {
    yield {
      problem: "secret_white_space",
      message:
        "The secret has white space around it. The signature matches without it. Secrets that are read from a file often end with a line break: trim them.",
      sign: withKey(trimmed),
    };
  }
  const unquoted = trimmed.replace(/^(["'])(.+)\1$/su, "$2");
  if (unquoted !== trimmed) {
    yield {
      problem: "secret_quotes",
      message: "The secret is in quotation marks. The signature matches without them.",
      sign: withKey(unquoted),
    };
  }
  const inner = unquoted.replaceAll(/\s/gu, "");
  if (inner !== unquoted) {
    yield {
      problem: "secret_white_space",
      message: "The secret has white space inside it. The signature matches without it.",
      sign: withKey(inner),
    };
  }
  if (inner.startsWith("whsec_")) {
    const withoutPrefix = inner.slice("whsec_".length);
    if (withoutPrefix !== "") {
      yield {
        problem: "secret_prefix",
        message:
          "The signature was made with the secret without its prefix whsec_. The service uses the whole string, so something else signed this.",
        sign: withKey(withoutPrefix),
      };
    }
    const key = Buffer.from(withoutPrefix, "base64");
    if (key.length > 0) {
      yield {
        problem: "secret_decoded",
        message:
          "The signature was made with the base64 after whsec_ as the key. The service uses the whole string as text, so something else signed this.",
        sign: (body, timestamp) =>
          `v1=${createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex")}`,
      };
    }
  } else {
    yield {
      problem: "secret_prefix",
      message: "The secret has no prefix whsec_. The signature matches with it: use the whole string.",
      sign: withKey(`whsec_${inner}`),
    };
  }
}
