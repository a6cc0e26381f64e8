import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, vi } from "vitest";

/** Replaces `scrypt` by a cheap version for the tests of a file, and counts calls. Hashes still depend on salt and password. */
export function useQuickScrypt() {
  const { scryptSync } = crypto;
  const derive = vi.spyOn(crypto, "scrypt");
  derive.mockImplementation((password, salt, length, _, callback) => {
    const hash = scryptSync(password, salt, length, { N: 2, r: 1, p: 1 });
    setImmediate(() => callback(null, hash));
  });
  syncBuiltinESMExports();
  // Other test files may share this process.
  afterAll(() => {
    derive.mockRestore();
    syncBuiltinESMExports();
  });
  return derive;
}
