import { createHash } from "node:crypto";

/** A Lua script and its digest, by which Redis knows it. */
export interface Script {
  readonly source: string;
  readonly digest: string;
}

/**
 * Defines a script. Its digest depends on the source, so processes of different versions can run at the same
 * time.
 */
export function defineScript(source: string): Script {
  return { source, digest: createHash("sha1").update(source).digest("hex") };
}

/**
 * Lua functions. `now` returns the time in ms: ARGV[1], or the time of the server, constant in one script.
 * `visible` returns the text of a stored value and its expiry ("" for none), or nil if it has expired.
 */
export const visibleFunction = `
local given = tonumber(ARGV[1])
local function now()
  if not given then
    local time = redis.call('time')
    given = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return given
end

local function visible(stored)
  if not stored then return nil end
  if string.byte(stored, 1) ~= 1 then return stored, '' end
  local colon = string.find(stored, ':', 2, true)
  local expires = string.sub(stored, 2, colon - 1)
  if expires ~= '' and tonumber(expires) <= now() then return nil end
  return string.sub(stored, colon + 1), expires
end`;
