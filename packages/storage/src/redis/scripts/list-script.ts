import { defineScript, visibleFunction } from "./script.ts";

/** Windows of entries at one moment. What has expired is passed over, and does not use up the limit. */
export const listScript = defineScript(`-- hookwright list, version 4
-- KEYS rows, index; rows, index …: a pair for each partition
-- ARGV[1] now (ms), then for each window:
--   lower bound, upper bound (both as ZRANGEBYLEX takes them), limit, 1 for descending order or 0,
--   where the rows of its partition stand among the keys
-- returns for each window: key, text, key, text …; or the error it met, which leaves the others alone
local now = tonumber(ARGV[1])
${visibleFunction}

local function list(low, high, wanted, reverse, rows, index)
  local entries, window = {}, math.min(wanted, 4000)
  while wanted > 0 do
    local keys
    if reverse then
      keys = redis.pcall('zrevrangebylex', index, high, low, 'limit', '0', window)
    else
      keys = redis.pcall('zrangebylex', index, low, high, 'limit', '0', window)
    end
    if keys.err then return keys end
    if #keys == 0 then break end
    local stored = redis.pcall('hmget', rows, unpack(keys))
    if stored.err then return stored end
    for at, key in ipairs(keys) do
      local text = ''
      if stored[at] then text = visible(stored[at]) end
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
for at = 2, #ARGV, 5 do
  local place = tonumber(ARGV[at + 4])
  windows[#windows + 1] =
    list(ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]), ARGV[at + 3] == '1', KEYS[place], KEYS[place + 1])
end
return windows
`);
