/** What a `fetch` is called with, as a request. */
export function toRequest(input: string | URL | Request, init: RequestInit | undefined): Request {
  return init === undefined && input instanceof Request ? input : new Request(input, init);
}
