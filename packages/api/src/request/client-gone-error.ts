/** The client disconnected before its request was complete. It is not an error of the server. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}
