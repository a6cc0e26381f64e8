import { defineScript, visibleFunction } from "./script.ts";

/** Windows of entries at one moment. What has expired is passed over, and does not use up the limit. */
export const listScript = defineScript(`-- hookwright list, version 2
-- KEYS[1] rows  KEYS[2] index
-- ARGV[1] now (ms), then for each window:
--   lower bound, upper bound (both as ZRANGEBYLEX takes them), limit, 1 for descending order or 0
-- returns for each window: key, text, key, text …
local now = tonumber(ARGV[1])
${visibleFunction}

local function list(low, high, wanted, reverse)
  local entries, window = {}, math.min(wanted, 4000)
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
end

local windows = {}
for at = 2, #ARGV, 4 do
  windows[#windows + 1] = list(ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]), ARGV[at + 3] == '1')
end
return windows
`);
