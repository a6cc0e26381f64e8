const ignore = (): void => {};

/** Only errors: the others are expected, and writing them costs CPU time of the measured program. */
export const quietLogger = { info: ignore, warn: ignore, error: console.error };
