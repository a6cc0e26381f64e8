import type { Answered } from "../asking.ts";
import type { Ask, Side } from "../side.ts";

export type Script = (side: Side, ask: (target: string, options?: Ask) => Promise<Answered>) => Promise<void>;
