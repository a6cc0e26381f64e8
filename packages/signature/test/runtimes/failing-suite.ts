/** A suite that fails, to test the reporting of failures. */
export function judge(): Promise<never> {
  return Promise.reject(new Error("this suite fails"));
}
