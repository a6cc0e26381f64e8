/**
 * Guesses whether the records of an event are new. Then they are not read before the publish. The commit checks it: if one of them exists,
 * the commit is refused, and all its records are read.
 */
export interface NewRecordGuess {
  mayBeNew(event: string): boolean;
  /** A read or a commit showed whether a record was new. */
  saw(event: string, isNew: boolean): void;
  /** A commit was refused because a record of this event existed. */
  wasWrong(event: string): void;
}

interface History {
  newInARow: number;
  /** After this many in a row, the next is taken for new. */
  threshold: number;
}

const minimumThreshold = 256;
const maximumThreshold = 65_536;
/** After this many times the threshold in a row, the threshold is halved. */
const halvingFactor = 4;

/** Guesses by event: created records are nearly always new, paid ones exist already. Each wrong guess doubles the threshold. */
export function createNewRecordGuess(): NewRecordGuess {
  const histories = new Map<string, History>();

  function historyOf(event: string): History {
    let history = histories.get(event);
    if (history === undefined)
      histories.set(event, (history = { newInARow: 0, threshold: minimumThreshold }));
    return history;
  }

  return {
    mayBeNew(event) {
      const { newInARow, threshold } = historyOf(event);
      return newInARow >= threshold;
    },

    saw(event, isNew) {
      const history = historyOf(event);
      history.newInARow = isNew ? history.newInARow + 1 : 0;
      if (history.newInARow < halvingFactor * history.threshold) return;
      history.threshold = Math.max(minimumThreshold, history.threshold / 2);
      history.newInARow = history.threshold;
    },

    wasWrong(event) {
      const history = historyOf(event);
      // Concurrent commits fail for the same reason.
      if (history.newInARow < history.threshold) return;
      history.threshold = Math.min(maximumThreshold, history.threshold * 2);
      history.newInARow = 0;
    },
  };
}
