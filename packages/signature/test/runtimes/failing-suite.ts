/** What is run to see that a failure is told. */
export function judge(): Promise<never> {
  return Promise.reject(new Error("this suite fails"));
}
