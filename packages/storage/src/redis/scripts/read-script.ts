import { defineScript, visibleFunction } from "./script.ts";

/** Reads rows from one snapshot, including rows that expire and empty rows, which are only in the index. */
export const readScript = defineScript(`-- hookwright read, version 4
-- KEYS[1] rows  KEYS[2] index
-- ARGV[1] now (ms), or '' for the server's clock, then encoded keys, about 4,000 at most
-- returns the text of each, or false
${visibleFunction}

local found, places, sought = redis.call('hmget', KEYS[1], unpack(ARGV, 2)), {}, {}
for at, stored in ipairs(found) do
  if stored then
    found[at] = visible(stored) or false
  else
    places[#places + 1] = at
    sought[#sought + 1] = ARGV[at + 1]
  end
end
if #sought == 0 then return found end
for at, score in ipairs(redis.call('zmscore', KEYS[2], unpack(sought))) do
  if score then found[places[at]] = '' end
end
return found
`);
