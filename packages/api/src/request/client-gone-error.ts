/** The client went away before its request was whole: nobody is left to answer, and nothing is wrong here. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}
