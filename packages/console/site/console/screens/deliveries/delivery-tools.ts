/** Loaded when one of them is first used. */
export { ShareDialog } from "./share-dialog.tsx";
