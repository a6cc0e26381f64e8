/** Open streams of one kind in one process. */
export const maximumStreamsOfAccount = 20;
export const maximumStreamsOfProcess = 500;

/** A comment is sent after this time without an event (contract §11, §12). */
export const commentIntervalMs = 15_000;
/** The rows of all credentials with open streams are read this often. */
export const checkIntervalMs = 750;
/** Events are sent only if the credential was found valid within this time. */
export const freshMs = 1_000;
/** A credential is authenticated this often, so that the last use of a key is recorded. */
export const reauthenticationMs = 60_000;
