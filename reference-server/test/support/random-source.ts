/** Numbers from 0 to 1 that come again with the same seed (mulberry32), so that a failed run can be repeated. */
export function randomSource(seedText?: string): { readonly seed: number; readonly random: () => number } {
  const seed = seedText === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(seedText);
  let state = seed;
  return {
    seed,
    random() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}
