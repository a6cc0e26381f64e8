import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

// One of OWASP's equivalent settings for scrypt, the one with 32 MiB: the server is to stay below 120 MB when idle.
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };
const saltBytes = 16;
const hashBytes = 32;

/** Hashes an account's password for the console login (contract §6): scrypt, with its parameters beside it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return render(salt, await derive(password, salt, cost));
}

/** A hash that no password has: finding that out takes as long as with any other. */
export function hashOfNobody(): string {
  return render(randomBytes(saltBytes), randomBytes(hashBytes));
}

function render(salt: Buffer, hash: Buffer): string {
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString("base64")}$${hash.toString("base64")}`;
}

/** Whether a password is the hashed one, in time that does not depend on where they differ. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = stored.split("$");
  const expected = Buffer.from(hash, "base64");
  const actual = await derive(password, Buffer.from(salt, "base64"), {
    ...cost,
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

function derive(password: string, salt: Uint8Array, options: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, hashBytes, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}
