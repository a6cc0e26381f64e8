import { defineScript, visibleFunction } from "./script.ts";

/** Removes one window of expired entries. One that was set again meanwhile has a later expiry, or none, and stays. */
export const sweepScript = defineScript(`-- hookwright sweep, version 2
-- KEYS[1] rows  KEYS[2] index  KEYS[3] expiries
-- ARGV[1] now (ms)  ARGV[2] the most entries to look at
-- returns how many were looked at
local now = tonumber(ARGV[1])
${visibleFunction}

local due = redis.call('zrangebyscore', KEYS[3], '-inf', ARGV[1], 'limit', '0', ARGV[2])
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
