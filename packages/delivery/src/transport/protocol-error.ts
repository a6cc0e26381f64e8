/** What came is no HTTP/1 response, or one beyond the limits. */
export class ProtocolError extends Error {
  readonly code = "protocol";
  constructor(message: string) {
    super(message);
    this.name = "ProtocolError";
  }
}
