export type DeliveryErrorCode =
  | "delivery_unreadable"
  | "secret_unreadable"
  | "secret_missing"
  | "too_many_open_files"
  | "proxy_unavailable"
  | "source_address_unavailable";

/** An error of the delivery engine. Refused input has the domain's error instead. */
export class DeliveryError extends Error {
  readonly code: DeliveryErrorCode;
  constructor(code: DeliveryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DeliveryError";
    this.code = code;
  }
}
