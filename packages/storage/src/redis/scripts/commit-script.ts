import { defineScript, visibleFunction } from "./script.ts";

/**
 * Applies commits of one partition, one after the other. Each is judged before its first write; what is refused writes
 * nothing and does not disturb the others. `unpack` is called with at most 4,000 values, because Lua's C stack ends at 8,000.
 *
 * A commit sets before it deletes: while its slot moves to another node of a Cluster, a Redis key that the script has emptied cannot
 * be made anew, and the script would end there, with half a commit written. Nor can what an earlier commit of the call has emptied: the
 * index may be, while marks still stand in the hash. So it is asked for first, which ends the script there before anything is written.
 */
export const commitScript = defineScript(`-- hookwright commit, version 3
-- KEYS[1] rows      hash: encoded key -> stored text, where that is not empty
-- KEYS[2] index     sorted set, all scores 0: encoded keys, also of rows whose text is empty
-- KEYS[3] expiries  sorted set: encoded key by expiry (ms)
-- ARGV[1] now (ms)  ARGV[2] channel of the partition  ARGV[3] message for it
-- ARGV[4] the commits in MessagePack, each an array of eight: keys to check, the text each must hold (false: none),
--   pairs to set (key, stored text), keys to set to the empty text, keys to delete, expiries (ms, key), steps of keys with a
--   sum, in order (set|delete|sum, key, text or amount, expiry or ''), '1' to wake
-- ARGV[5] marks to set in rows with the first empty text, each with a '': the kinds of key that have empty texts
-- returns, for each refused commit: its number from 0, the kind (1 check, 2 no integer, 3 out of range), the key
local now = tonumber(ARGV[1])
local rows, index, expiries = KEYS[1], KEYS[2], KEYS[3]
local most, safe = 4000, 9007199254740991
${visibleFunction}

local function each(values, count, command, key)
  if count <= most then return count > 0 and redis.call(command, key, unpack(values, 1, count)) or 0 end
  local answer = 0
  for start = 1, count, most do
    answer = answer + redis.call(command, key, unpack(values, start, math.min(start + most - 1, count)))
  end
  return answer
end

local marked, removed = #ARGV < 5, false

local function set(pairs, empties)
  if removed then redis.call('exists', index) end
  removed = false
  -- Scores and members that may be new to the index, and how many (the operator # would search for the end each time).
  local arriving, arrived, count = {}, 0, #pairs
  if each(pairs, count, 'hset', rows) > 0 then
    for at = 1, count, 2 do
      arriving[arrived + 1] = '0'
      arriving[arrived + 2] = pairs[at]
      arrived = arrived + 2
    end
  end
  if #empties > 0 then
    if not marked then redis.call('hset', rows, unpack(ARGV, 5)) end
    marked = true
    for at, key in ipairs(empties) do
      arriving[arrived + 1] = '0'
      arriving[arrived + 2] = key
      arrived = arrived + 2
    end
  end
  -- What was in the index before may have had a text.
  if each(arriving, arrived, 'zadd', index) * 2 < arrived then each(empties, #empties, 'hdel', rows) end
end

local function remove(keys)
  each(keys, #keys, 'hdel', rows)
  if each(keys, #keys, 'zrem', index) > 0 then removed = true end
end

-- The text under a key and its expiry, of what the hash has of it.
local function held(key, stored)
  if stored then return visible(stored) end
  if redis.call('zscore', index, key) then return '', '' end
end

local function firstFailed(keys, texts)
  for start = 1, #keys, most do
    local stop = math.min(start + most - 1, #keys)
    local found = redis.call('hmget', rows, unpack(keys, start, stop))
    for at = start, stop do
      if (held(keys[at], found[at - start + 1]) or false) ~= texts[at] then return keys[at] end
    end
  end
end

-- What the steps make of their keys; or the kind of the refusal and its key.
local function plan(steps)
  local planned, order = {}, {}
  for at = 1, #steps, 4 do
    local operation, key, value, expires = steps[at], steps[at + 1], steps[at + 2], steps[at + 3]
    local current = planned[key]
    if current == nil then
      order[#order + 1] = key
      local text, ends = held(key, redis.call('hget', rows, key))
      current = text and { text, ends } or false
    end
    if operation == 'set' then
      current = { value, expires }
    elseif operation == 'delete' then
      current = false
    else
      local text = current and current[1] or '0'
      local number = (text == '0' or string.find(text, '^%-?[1-9]%d*$')) and tonumber(text)
      if not number or math.abs(number) > safe then return 2, key end
      number = number + tonumber(value)
      if math.abs(number) > safe then return 3, key end
      if expires == '' and current then expires = current[2] end
      current = { number == 0 and '0' or string.format('%.0f', number), expires }
    end
    if current and current[2] ~= '' and tonumber(current[2]) <= now then current = false end
    planned[key] = current
  end
  return nil, planned, order
end

-- Adds what the steps came to.
local function add(planned, order, sets, empties, deletes, times)
  for _, key in ipairs(order) do
    local text, expires = planned[key] and planned[key][1], planned[key] and planned[key][2]
    if not text then
      deletes[#deletes + 1] = key
    elseif text == '' and expires == '' then
      empties[#empties + 1] = key
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
end

local refused, woken = {}, false
for number, commit in ipairs(cmsgpack.unpack(ARGV[4])) do
  local checks, texts, sets, empties, deletes, times, steps, wake = unpack(commit)
  local failed, planned, order = firstFailed(checks, texts), nil, nil
  local kind = failed and 1
  if not failed and #steps > 0 then
    kind, planned, order = plan(steps)
    failed = planned
  end
  if kind then
    refused[#refused + 1] = number - 1
    refused[#refused + 1] = kind
    refused[#refused + 1] = failed
  else
    if planned then add(planned, order, sets, empties, deletes, times) end
    set(sets, empties)
    remove(deletes)
    each(times, #times, 'zadd', expiries)
    woken = woken or wake == '1'
  end
end
if woken then redis.call('publish', ARGV[2], ARGV[3]) end
return refused
`);
