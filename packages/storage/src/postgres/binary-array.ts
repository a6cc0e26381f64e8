/** The types of elements: their `oid`, their size, and how one is written. */
const elements = {
  int4: { oid: 23, size: 4, write: (view: DataView, at: number, value: number) => view.setInt32(at, value) },
  int8: { oid: 20, size: 8, write: writeBigInteger },
  float8: {
    oid: 701,
    size: 8,
    write: (view: DataView, at: number, value: number) => view.setFloat64(at, value),
  },
} as const;

const headBytes = 20;
const lengthBytes = 4;

/**
 * Returns an array in the binary format of PostgreSQL. Both sides need a fraction of the time that decimal text takes.
 *
 * @param values safe integers or floats. `undefined` becomes `null`
 */
export function toBinaryArray(
  type: keyof typeof elements,
  values: readonly (number | undefined)[],
): Uint8Array {
  const { oid, size, write } = elements[type];
  const bytes = new Uint8Array(headBytes + values.length * (lengthBytes + size));
  const view = new DataView(bytes.buffer);
  let hasNull = 0;
  let end = headBytes;
  for (const value of values) {
    view.setInt32(end, value === undefined ? -1 : size);
    end += lengthBytes;
    if (value === undefined) hasNull = 1;
    else {
      write(view, end, value);
      end += size;
    }
  }
  view.setInt32(0, 1);
  view.setInt32(4, hasNull);
  view.setInt32(8, oid);
  view.setInt32(12, values.length);
  // The index of the first element.
  view.setInt32(16, 1);
  return bytes.subarray(0, end);
}

function writeBigInteger(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / 2 ** 32);
  view.setInt32(at, high);
  view.setUint32(at + 4, value - high * 2 ** 32);
}
