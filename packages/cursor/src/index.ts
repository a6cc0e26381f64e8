export { assemblePage } from "./assemble-page.ts";
export type { AssembledPage, AssemblePageInput, PageMeta } from "./assemble-page.ts";
export { createCursorCodec } from "./cursor-codec.ts";
export type { CursorCodec, CursorCodecOptions, Position } from "./cursor-codec.ts";
export { CursorError } from "./cursor-error.ts";
export type { CursorErrorCode } from "./cursor-error.ts";
export { parseLimit } from "./parse-limit.ts";
export type { LimitBounds } from "./parse-limit.ts";
