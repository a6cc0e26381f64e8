/** Listeners of an account (contract: The developer API). */
export const maximumListeners = 10;
/** A listener without a reader is removed after this time. */
export const absentReaderMs = 10 * 60 * 1_000;
/** A process with a reader extends the listener this often. */
export const renewalMs = 60 * 1_000;
/** The lifetime of a listener with a reader. If its process dies, at least {@link absentReaderMs} are left. */
export const presentReaderMs = absentReaderMs + renewalMs;
/** Results may be shown longer than the events that they are about. */
export const resultKeptMs = 60 * 60 * 1_000;
/** Open consoles look for new results more often. */
export const reportKeptMs = 60 * 1_000;

/** Events of an account that are kept for its readers, together. The oldest are removed first. */
export const maximumEvents = 1_000;
export const maximumEventCharacters = 4 * 1_024 * 1_024;
