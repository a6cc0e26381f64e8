/** The data of a record of an own kind, a JSON object. */
export interface OwnRecordData {
  id: string;
  [field: string]: unknown;
}
