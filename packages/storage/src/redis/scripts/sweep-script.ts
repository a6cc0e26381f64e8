import { defineScript, visibleFunction } from "./script.ts";

/**
 * Removes a limited number of expired entries. Keeps an entry that was set again with a later expiry or none.
 */
export const sweepScript = defineScript(`-- hookwright sweep, version 3
-- KEYS[1] rows  KEYS[2] index  KEYS[3] expiries
-- ARGV[1] now (ms), or '' for the server's clock  ARGV[2] the largest number of entries to check
-- returns the number of entries checked
${visibleFunction}

local due = redis.call('zrangebyscore', KEYS[3], '-inf', string.format('%.0f', now()), 'limit', '0', ARGV[2])
if #due == 0 then return 0 end
local stored = redis.call('hmget', KEYS[1], unpack(due))
for at, key in ipairs(due) do
  if stored[at] and not visible(stored[at]) then
    redis.call('hdel', KEYS[1], key)
    redis.call('zrem', KEYS[2], key)
  end
end
redis.call('zrem', KEYS[3], unpack(due))
return #due
`);
