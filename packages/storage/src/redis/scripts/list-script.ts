import { defineScript, visibleFunction } from "./script.ts";

/** One window of entries at one moment. What has expired is passed over, and does not use up the limit. */
export const listScript = defineScript(`-- hookwright list, version 1
-- KEYS[1] rows  KEYS[2] index
-- ARGV[1] now (ms)  ARGV[2] lower bound  ARGV[3] upper bound, both as ZRANGEBYLEX takes them
-- ARGV[4] limit  ARGV[5] 1 for descending order, else 0
-- returns key, text, key, text …
local now = tonumber(ARGV[1])
local low, high, wanted = ARGV[2], ARGV[3], tonumber(ARGV[4])
local reverse = ARGV[5] == '1'
local entries, window = {}, math.min(wanted, 4000)
${visibleFunction}

while wanted > 0 do
  local keys
  if reverse then
    keys = redis.call('zrevrangebylex', KEYS[2], high, low, 'limit', '0', window)
  else
    keys = redis.call('zrangebylex', KEYS[2], low, high, 'limit', '0', window)
  end
  if #keys == 0 then break end
  local stored = redis.call('hmget', KEYS[1], unpack(keys))
  for at, key in ipairs(keys) do
    local text = visible(stored[at])
    if text and wanted > 0 then
      entries[#entries + 1] = key
      entries[#entries + 1] = text
      wanted = wanted - 1
    end
  end
  if #keys < window then break end
  if reverse then high = '(' .. keys[#keys] else low = '(' .. keys[#keys] end
  window = math.max(256, math.min(wanted, 4000))
end
return entries
`);
