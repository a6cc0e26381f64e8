/** Open streams of an account in one process. */
export const maximumStreamsOfAccount = 40;
/** Each stream is checked every second. A process has fewer if it may hold fewer than twice as many connections. */
export const maximumStreamsOfProcess = 1_000;
/** A client whose stream ended for another one, or was refused, should wait this long. */
export const reconnectAfterSeconds = 10;

/** A comment is sent after this time without an event (contract: The developer API). */
export const commentIntervalMs = 15_000;
/** The rows of all credentials with open streams are read this often. */
export const checkIntervalMs = 750;
/** Events are sent only if the credential was found valid within this time. */
export const freshMs = 1_000;
/** A credential is authenticated this often, so that the last use of a key is recorded. */
export const reauthenticationMs = 60_000;
