import { SignatureError } from "./signature-error.ts";

export function mismatch(secrets: readonly string[]): SignatureError {
  // Such as the line end of a file that a secret was read from.
  const hint = secrets.some((secret) => secret !== secret.trim()) ? ", trimmed" : "";
  return new SignatureError(
    "signature_mismatch",
    `no signature matches: wrong secret (pass the whole whsec_ string${hint}) or body changed (parsed, re-encoded)`,
  );
}
