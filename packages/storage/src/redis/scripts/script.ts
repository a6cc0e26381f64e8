import { createHash } from "node:crypto";

/** A Lua script, and the digest by which Redis knows it once it has seen it. */
export interface Script {
  readonly source: string;
  readonly digest: string;
}

/**
 * The version stands in the first line of each source, so a script that changes gets another digest and the old one goes
 * on serving processes that have not been replaced yet.
 */
export function defineScript(source: string): Script {
  return { source, digest: createHash("sha1").update(source).digest("hex") };
}

/** Lua: the text of what is kept under a key, and its expiry as a text ("" for none); nothing where it has expired. */
export const visibleFunction = `
local function visible(stored)
  if not stored then return nil end
  if string.byte(stored, 1) ~= 1 then return stored, '' end
  local colon = string.find(stored, ':', 2, true)
  local expires = string.sub(stored, 2, colon - 1)
  if expires ~= '' and tonumber(expires) <= now then return nil end
  return string.sub(stored, colon + 1), expires
end`;
