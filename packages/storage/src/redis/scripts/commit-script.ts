import { defineScript, visibleFunction } from "./script.ts";

/**
 * Applies commits of one partition, one after the other. Each is judged before its first write; what is refused writes
 * nothing and does not disturb the others. `unpack` is called with at most 4,000 values, because Lua's C stack ends at 8,000.
 */
export const commitScript = defineScript(`-- hookwright commit, version 1
-- KEYS[1] rows      hash: encoded key -> stored text
-- KEYS[2] index     sorted set, all scores 0: encoded keys
-- KEYS[3] expiries  sorted set: encoded key by expiry (ms)
-- ARGV[1] now (ms)  ARGV[2] channel of the partition  ARGV[3] message for it
-- ARGV[4..] each commit: counts of checks, sets, deletes, expiries, steps; 1 to wake, else 0; then
--   check keys; expectations ('=' and the text, '' for absent); set pairs (key, stored text); keys to delete;
--   expiry pairs (ms, key); steps of keys with a sum, in order (operation s|d|i, key, text or amount, expiry or '')
-- returns, for each refused commit: its number from 0, the kind (1 check, 2 no integer, 3 out of range), the place from 0
local now = tonumber(ARGV[1])
local rows, index, expiries = KEYS[1], KEYS[2], KEYS[3]
local most, safe = 4000, 9007199254740991
${visibleFunction}

local function set(from, first, last)
  for start = first, last, most do
    local stop = math.min(start + most - 1, last)
    if redis.call('hset', rows, unpack(from, start, stop)) > 0 then
      local members = {}
      for at = start, stop, 2 do
        members[#members + 1] = '0'
        members[#members + 1] = from[at]
      end
      redis.call('zadd', index, unpack(members))
    end
  end
end

local function remove(from, first, last)
  for start = first, last, most do
    local stop = math.min(start + most - 1, last)
    if redis.call('hdel', rows, unpack(from, start, stop)) > 0 then
      redis.call('zrem', index, unpack(from, start, stop))
    end
  end
end

local function expire(from, first, last)
  for start = first, last, most do
    redis.call('zadd', expiries, unpack(from, start, math.min(start + most - 1, last)))
  end
end

local function firstFailed(first, count)
  for start = 0, count - 1, most do
    local stop = math.min(start + most, count) - 1
    local found = redis.call('hmget', rows, unpack(ARGV, first + start, first + stop))
    for at = start, stop do
      local text = visible(found[at - start + 1])
      if (text and '=' .. text or '') ~= ARGV[first + count + at] then return at end
    end
  end
end

local function plan(first, count)
  local held, order = {}, {}
  for step = 0, count - 1 do
    local at = first + step * 4
    local operation, key, value, expires = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
    local current = held[key]
    if current == nil then
      order[#order + 1] = key
      local text, until_ = visible(redis.call('hget', rows, key))
      current = text and { text, until_ } or false
    end
    if operation == 's' then
      current = { value, expires }
    elseif operation == 'd' then
      current = false
    else
      local text = current and current[1] or '0'
      local number = (text == '0' or string.find(text, '^%-?[1-9]%d*$')) and tonumber(text)
      -- Of two answers, the kind of the refusal and its place.
      if not number or math.abs(number) > safe then return 2, step end
      number = number + tonumber(value)
      if math.abs(number) > safe then return 3, step end
      if expires == '' and current then expires = current[2] end
      current = { number == 0 and '0' or string.format('%.0f', number), expires }
    end
    if current and current[2] ~= '' and tonumber(current[2]) <= now then current = false end
    held[key] = current
  end
  return nil, held, order
end

local function write(held, order)
  local sets, deletes, times = {}, {}, {}
  for _, key in ipairs(order) do
    local text, expires = held[key] and held[key][1], held[key] and held[key][2]
    if not text then
      deletes[#deletes + 1] = key
    else
      if expires ~= '' or string.byte(text, 1) == 1 then text = '\\1' .. expires .. ':' .. text end
      sets[#sets + 1] = key
      sets[#sets + 1] = text
      if expires ~= '' then
        times[#times + 1] = expires
        times[#times + 1] = key
      end
    end
  end
  set(sets, 1, #sets)
  remove(deletes, 1, #deletes)
  expire(times, 1, #times)
end

local refused, woken = {}, false
local position, number = 4, 0
while position <= #ARGV do
  local checks, sets, deletes = tonumber(ARGV[position]), tonumber(ARGV[position + 1]), tonumber(ARGV[position + 2])
  local times, steps = tonumber(ARGV[position + 3]), tonumber(ARGV[position + 4])
  local wake = ARGV[position + 5] == '1'
  local atSets = position + 6 + checks * 2
  local atDeletes = atSets + sets * 2
  local atTimes = atDeletes + deletes
  local atSteps = atTimes + times * 2
  local kind, place, held, order = nil, firstFailed(position + 6, checks), nil, nil
  if place then
    kind = 1
  elseif steps > 0 then
    kind, held, order = plan(atSteps, steps)
    if kind then place = held end
  end
  if kind then
    refused[#refused + 1] = number
    refused[#refused + 1] = kind
    refused[#refused + 1] = place
  else
    set(ARGV, atSets, atDeletes - 1)
    remove(ARGV, atDeletes, atTimes - 1)
    expire(ARGV, atTimes, atSteps - 1)
    if held then write(held, order) end
    woken = woken or wake
  end
  position = atSteps + steps * 4
  number = number + 1
end
if woken then redis.call('publish', ARGV[2], ARGV[3]) end
return refused
`);
