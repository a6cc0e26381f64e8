import { ClientError } from "../../src/client-error.ts";

/** Returns the error of a call. */
export async function failureOf(call: Promise<unknown>): Promise<ClientError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}
