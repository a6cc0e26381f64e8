import type { EventName } from "@hookwright/domain";

/**
 * Whether the records of an event are taken for new, and not read before they are published. The commit checks that they are; where one
 * is not it is refused, and all in it are read and put together once more.
 */
export interface NewRecordGuess {
  mayBeNew(event: EventName): boolean;
  /** What was read, or what a commit has shown to be right. */
  saw(event: EventName, isNew: boolean): void;
  /** A commit was refused although all of this event were taken for new. */
  wasWrong(event: EventName): void;
}

interface Course {
  newInARow: number;
  /** So many in a row before the next is taken for new. */
  wanted: number;
}

const leastWanted = 256;
const mostWanted = 65_536;
/** After so many times as many in a row as were wanted, half as many are wanted from then on. */
const goodCourse = 4;

/**
 * By event: what is created is nearly always new, what is paid has been created before. A host that publishes all of its orders once more
 * is told apart by the first commits, and twice as many new ones are wanted each time.
 */
export function createNewRecordGuess(): NewRecordGuess {
  const courses = new Map<EventName, Course>();

  function courseOf(event: EventName): Course {
    let course = courses.get(event);
    if (course === undefined) courses.set(event, (course = { newInARow: 0, wanted: leastWanted }));
    return course;
  }

  return {
    mayBeNew(event) {
      const { newInARow, wanted } = courseOf(event);
      return newInARow >= wanted;
    },

    saw(event, isNew) {
      const course = courseOf(event);
      course.newInARow = isNew ? course.newInARow + 1 : 0;
      if (course.newInARow < goodCourse * course.wanted) return;
      course.wanted = Math.max(leastWanted, course.wanted / 2);
      course.newInARow = course.wanted;
    },

    wasWrong(event) {
      const course = courseOf(event);
      // Other commits that were under way go wrong for the same reason.
      if (course.newInARow < course.wanted) return;
      course.wanted = Math.min(mostWanted, course.wanted * 2);
      course.newInARow = 0;
    },
  };
}
