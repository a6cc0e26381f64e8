/** Loaded when one of them is first used. */
export { CompareReceived } from "./compare-received.tsx";
export { ShareDialog } from "./share-dialog.tsx";
