/** A row of a list that is new or has changed. */
export interface ChangedRow {
  readonly event: "delivery" | "webhook";
  readonly id: string;
  /** The row as JSON. */
  readonly text: string;
}

export interface Changes {
  /** The rows that are new or differ since the last read, oldest first. */
  readonly rows: readonly ChangedRow[];
  /** True if others have changed too. A console must read its lists again. */
  readonly hasMissed: boolean;
}

export interface ChangeReader {
  /** Reads the present rows. Changes are those after it. */
  start(): Promise<void>;
  read(): Promise<Changes>;
}
