import { SignatureError } from "./signature-error.ts";

export function mismatch(): SignatureError {
  return new SignatureError(
    "signature_mismatch",
    "no signature matches: wrong secret (pass the whole whsec_ string) or body changed (parsed, re-encoded)",
  );
}
