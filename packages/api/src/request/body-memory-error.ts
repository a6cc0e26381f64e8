/** The memory for request bodies is full. The client may try again; most of its body may still be on its way. */
export class BodyMemoryError extends Error {
  override readonly name = "BodyMemoryError";
}
