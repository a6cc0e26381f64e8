import { defineScript, visibleFunction } from "./script.ts";

/**
 * Lists several windows of entries from one snapshot. Expired entries are skipped and do not count for the
 * limit.
 */
export const listScript = defineScript(`-- hookwright list, version 5
-- KEYS rows, index; rows, index …: a pair for each partition
-- ARGV[1] now (ms), or '' for the server's clock, then for each window:
--   lower bound, upper bound (both as ZRANGEBYLEX takes them), limit, 1 for descending order or 0,
--   0, or how many parts after the partition the keys of a group share, where the rows of its partition are in KEYS
-- returns for each window: key, text, key, text …; or the error it met, which does not affect the others
${visibleFunction}

local function find(index, low, high, reverse, count)
  if reverse then return redis.pcall('zrevrangebylex', index, high, low, 'limit', '0', count) end
  return redis.pcall('zrangebylex', index, low, high, 'limit', '0', count)
end

local function list(low, high, wanted, reverse, rows, index)
  local entries, window = {}, math.min(wanted, 4000)
  while wanted > 0 do
    local keys = find(index, low, high, reverse, window)
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

-- The first parts of a key, or nil if it has fewer. Each byte of an encoded key is one character, above 127 of two bytes.
local function firstParts(key, parts)
  local at = 4
  for _ = 1, parts do
    if at > #key then return nil end
    if string.byte(key, at) == 1 then
      at = at + 1
      for _ = 1, 7 do at = at + (string.byte(key, at) < 128 and 1 or 2) end
    else
      -- A NUL before U+00FF belongs to the text.
      repeat at = string.find(key, '\\0', at, true) + 1 until string.sub(key, at, at + 1) ~= '\\195\\191'
    end
  end
  return string.sub(key, 1, at - 1)
end

-- One seek for each group, and more where its first entries have expired.
local function listGroups(low, high, wanted, reverse, parts, rows, index)
  local entries, window = {}, 1
  while wanted > 0 do
    local keys = find(index, low, high, reverse, window)
    if keys.err then return keys end
    if #keys == 0 then break end
    local stored = redis.pcall('hmget', rows, unpack(keys))
    if stored.err then return stored end
    local found, text
    for at, key in ipairs(keys) do
      text = ''
      if stored[at] then text = visible(stored[at]) end
      if text then
        found = key
        break
      end
    end
    if found then
      entries[#entries + 1] = found
      entries[#entries + 1] = text
      wanted = wanted - 1
      local group = firstParts(found, parts)
      if reverse then
        high = '(' .. (group or found)
      else
        low = group and '[' .. group .. '\\3' or '(' .. found
      end
      window = 1
    else
      if reverse then high = '(' .. keys[#keys] else low = '(' .. keys[#keys] end
      window = math.min(window * 4, 1024)
    end
  end
  return entries
end

local windows = {}
for at = 2, #ARGV, 6 do
  local low, high, wanted, reverse = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]), ARGV[at + 3] == '1'
  local parts, rowsIndex = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5])
  if parts > 0 then
    windows[#windows + 1] = listGroups(low, high, wanted, reverse, parts, KEYS[rowsIndex], KEYS[rowsIndex + 1])
  else
    windows[#windows + 1] = list(low, high, wanted, reverse, KEYS[rowsIndex], KEYS[rowsIndex + 1])
  end
end
return windows
`);
