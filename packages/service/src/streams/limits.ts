/** Open streams of one kind in one process. */
export const maximumStreamsOfAccount = 20;
export const maximumStreamsOfProcess = 500;

/** A comment is sent after this time without an event (contract §11, §12). */
export const commentIntervalMs = 15_000;
/** Events are sent only if the credential was checked within this time. */
export const authorizedMs = 1_000;
