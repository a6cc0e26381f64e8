/** Converts the arguments of `fetch` to a request. */
export function toRequest(input: string | URL | Request, init: RequestInit | undefined): Request {
  return init === undefined && input instanceof Request ? input : new Request(input, init);
}
