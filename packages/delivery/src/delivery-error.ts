/** A fault of the delivery engine. Refused input has the domain's error instead. */
export class DeliveryError extends Error {
  readonly code: "secret_unreadable" | "secret_missing" | "too_many_open_files";
  constructor(code: DeliveryError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DeliveryError";
    this.code = code;
  }
}
