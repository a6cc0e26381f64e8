export interface KeptBytes {
  readonly bytes: Buffer;
  /** Keeps what still fits; false when something did not. */
  keep(part: Buffer): boolean;
  /** Stops borrowing the memory of the socket's last read. */
  own(): void;
  clear(): void;
}

const nothing = Buffer.alloc(0);

/**
 * The first `limitBytes` of a body. The first part is borrowed: most answers come whole in one read and are decoded at once,
 * so nothing is copied. What has to outlive the read is copied into one buffer that grows: neither a few kept bytes
 * that hold a read of 64 KiB, nor thousands of one-byte chunks that each cost an object.
 */
export function createKeptBytes(limitBytes: number): KeptBytes {
  let storage: Buffer = nothing;
  let length = 0;
  let borrowed = false;

  function keep(part: Buffer): boolean {
    const fitting = part.length > limitBytes - length ? part.subarray(0, limitBytes - length) : part;
    if (length === 0) {
      storage = fitting;
      borrowed = true;
    } else if (fitting.length > 0) {
      if (length + fitting.length > storage.length || borrowed) reserve(length + fitting.length);
      storage.set(fitting, length);
    }
    length += fitting.length;
    return fitting.length === part.length;
  }

  function reserve(wanted: number): void {
    const larger = Buffer.allocUnsafe(Math.min(limitBytes, 2 * wanted));
    larger.set(storage.subarray(0, length));
    storage = larger;
    borrowed = false;
  }

  return {
    get bytes() {
      return storage.subarray(0, length);
    },
    keep,
    own() {
      if (borrowed && length > 0) reserve(length);
    },
    clear() {
      storage = nothing;
      length = 0;
      borrowed = false;
    },
  };
}
