import { scrypt, timingSafeEqual } from "node:crypto";

/** The scrypt parameters and the salt as text. Equal derivations of a password give equal hashes. */
type Derivation = string;

// OWASP lists several equivalent settings for scrypt. This one needs 32 MiB, which keeps the server small.
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };
const hashBytes = 32;

/** Hashes an account's password for the console login (contract: Secrets): scrypt, stored with its parameters and salt. */
export async function hashPassword(password: string, salt: Uint8Array): Promise<string> {
  const derivation = toDerivation(salt);
  return `${derivation}$${(await derive(password, derivation)).toString("base64")}`;
}

/** Whether a hash has this salt and the current parameters. */
export function isDerivedWith(stored: string, salt: Uint8Array): boolean {
  return derivationOf(stored) === toDerivation(salt);
}

/**
 * Compares a password with the hashes of all accounts of an address in constant time. Derives once for each distinct salt, and once if
 * there are no hashes.
 *
 * @param salt of the address
 * @returns the index of the first hash that matches; -1 if none matches
 */
export async function findPassword(
  password: string,
  hashes: readonly string[],
  salt: Uint8Array,
): Promise<number> {
  const derivations = new Set(hashes.length === 0 ? [toDerivation(salt)] : hashes.map(derivationOf));
  const matches = new Set<string>();
  for (const derivation of derivations) {
    const actual = await derive(password, derivation);
    for (const stored of hashes)
      if (derivationOf(stored) === derivation && isHash(stored, actual)) matches.add(stored);
  }
  return hashes.findIndex((stored) => matches.has(stored));
}

function toDerivation(salt: Uint8Array): Derivation {
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${Buffer.from(salt).toString("base64")}`;
}

function derivationOf(stored: string): Derivation {
  return stored.split("$").slice(0, 5).join("$");
}

function isHash(stored: string, actual: Uint8Array): boolean {
  const expected = Buffer.from(stored.split("$")[5] ?? "", "base64");
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function derive(password: string, derivation: Derivation): Promise<Buffer> {
  const [, N, r, p, salt = ""] = derivation.split("$");
  const options = { ...cost, N: Number(N), r: Number(r), p: Number(p) };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), Buffer.from(salt, "base64"), hashBytes, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}
