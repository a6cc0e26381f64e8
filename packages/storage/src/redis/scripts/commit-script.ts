import { defineScript, visibleFunction } from "./script.ts";

/** How many numbers begin a commit. */
export const commitNumbers = 8;

/**
 * Applies commits of one partition, one after the other. Each is judged before its first write; what is refused writes
 * nothing and does not disturb the others. `unpack` is called with at most 4,000 values, because Lua's C stack ends at 8,000.
 *
 * Every key and text is an argument of its own: inside one that holds them all, Redis' Lua, which hashes each byte of each text that it
 * makes, would hash them twice.
 *
 * A commit sets before it deletes: while its slot moves to another node of a Cluster, a Redis key that the script has emptied cannot
 * be made anew, and the script would end there, with half a commit written. Nor can what an earlier commit of the call has emptied: the
 * index may be, while marks still stand in the hash. So it is asked for first, which ends the script there before anything is written.
 * Nor can a second deletion find what a first has emptied: all that a commit deletes is deleted together.
 */
export const commitScript = defineScript(`-- hookwright commit, version 4
-- KEYS[1] rows      hash: encoded key -> stored text, where that is not empty
-- KEYS[2] index     sorted set, all scores 0: encoded keys, also of rows whose text is empty
-- KEYS[3] expiries  sorted set: encoded key by expiry (ms)
-- ARGV[1] now (ms)  ARGV[2] channel of the partition  ARGV[3] message for it
-- ARGV[4] how many values follow that set the marks in rows with the first empty text: the kinds of key that have empty texts,
--   each with a ''
-- then commits, each of them:
--   eight numbers of 32 bits: how many checks, marks to look at, pairs, empty texts, deletes, expiries and steps it has; 1 to wake
--   keys to check, the marks of those that must be absent, the stored text that each must hold ('\\1': none);
--   pairs to set (key, stored text), keys to set to the empty text, keys to delete, expiries (ms, key), steps of keys with a
--   sum, in order (set|delete|sum, key, text or amount, expiry or '')
-- returns, for each refused commit: its number from 0, the kind (1 check, 2 no integer, 3 out of range), the key
local now = tonumber(ARGV[1])
local rows, index, expiries = KEYS[1], KEYS[2], KEYS[3]
local most, safe, absent = 4000, 9007199254740991, '\\1'
${visibleFunction}

-- One command with these values, or as many as it takes; answers the sum of what they answer.
local function call(command, key, values, first, last)
  local answer = 0
  for start = first, last, most do
    answer = answer + redis.call(command, key, unpack(values, start, math.min(start + most - 1, last)))
  end
  return answer
end

local marks = tonumber(ARGV[4])
local marked, removed = marks == 0, false

-- pairs: key, stored text, key … from first to last
local function setTexts(pairs, first, last)
  if call('hset', rows, pairs, first, last) == 0 then return end
  local arriving, count = {}, 0
  for at = first, last, 2 do
    arriving[count + 1] = '0'
    arriving[count + 2] = pairs[at]
    count = count + 2
  end
  call('zadd', index, arriving, 1, count)
end

local function setEmpty(keys, first, last)
  if last < first then return end
  if not marked then redis.call('hset', rows, unpack(ARGV, 5, 4 + marks)) end
  marked = true
  local arriving, count = {}, 0
  for at = first, last do
    arriving[count + 1] = '0'
    arriving[count + 2] = keys[at]
    count = count + 2
  end
  -- What was in the index before may have had a text.
  if call('zadd', index, arriving, 1, count) * 2 < count then call('hdel', rows, keys, first, last) end
end

local function remove(keys, first, last)
  call('hdel', rows, keys, first, last)
  if call('zrem', index, keys, first, last) > 0 then removed = true end
end

-- The text under a key and its expiry, of what the hash has of it.
local function held(key, stored)
  if stored then return visible(stored) end
  if redis.call('zscore', index, key) then return '', '' end
end

-- What the hash has of these keys.
local function read(first, last)
  if last - first < most then return redis.call('hmget', rows, unpack(ARGV, first, last)) end
  local found = {}
  for start = first, last, most do
    local some = redis.call('hmget', rows, unpack(ARGV, start, math.min(start + most - 1, last)))
    for at = 1, #some do found[start - first + at] = some[at] end
  end
  return found
end

-- The first key that does not hold what it must. One that must be absent is sought in the index only where its kind has empty texts.
local function firstFailed(first, checks, kinds)
  if checks == 0 then return end
  local found = read(first, first + checks + kinds - 1)
  local mayBeEmpty = false
  for at = checks + 1, checks + kinds do mayBeEmpty = mayBeEmpty or found[at] end
  local texts = first + checks + kinds - 1
  for at = 1, checks do
    local stored, wanted = found[at], ARGV[texts + at]
    if wanted == absent then
      if (stored or mayBeEmpty) and held(ARGV[first + at - 1], stored) then return ARGV[first + at - 1] end
    elseif stored ~= wanted and held(ARGV[first + at - 1], stored) ~= visible(wanted) then
      return ARGV[first + at - 1]
    end
  end
end

-- What the steps make of their keys; or the kind of the refusal and its key.
local function plan(first, last)
  local planned, order = {}, {}
  for at = first, last, 4 do
    local operation, key, value, expires = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
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

-- Writes what the steps came to, but for what is to be deleted, which it answers.
local function setPlanned(planned, order)
  local texts, empties, deletes, times = {}, {}, {}, {}
  for _, key in ipairs(order) do
    local text, expires = planned[key] and planned[key][1], planned[key] and planned[key][2]
    if not text then
      deletes[#deletes + 1] = key
    elseif text == '' and expires == '' then
      empties[#empties + 1] = key
    else
      if expires ~= '' or string.byte(text, 1) == 1 then text = '\\1' .. expires .. ':' .. text end
      texts[#texts + 1] = key
      texts[#texts + 1] = text
      if expires ~= '' then
        times[#times + 1] = expires
        times[#times + 1] = key
      end
    end
  end
  setTexts(texts, 1, #texts)
  setEmpty(empties, 1, #empties)
  call('zadd', expiries, times, 1, #times)
  return deletes
end

local refused, woken = {}, false
local number, at, last = 0, 5 + marks, #ARGV
while at <= last do
  local checks, kinds, pairs, empties, deletes, times, steps, wake = struct.unpack('>I4I4I4I4I4I4I4I4', ARGV[at])
  local firstCheck = at + 1
  local firstPair = firstCheck + 2 * checks + kinds
  local firstEmpty = firstPair + 2 * pairs
  local firstDelete = firstEmpty + empties
  local firstTime = firstDelete + deletes
  local firstStep = firstTime + 2 * times
  at = firstStep + 4 * steps
  local failed, planned, order = firstFailed(firstCheck, checks, kinds), nil, nil
  local kind = failed and 1
  if not failed and steps > 0 then
    kind, planned, order = plan(firstStep, at - 1)
    failed = planned
  end
  if kind then
    refused[#refused + 1] = number
    refused[#refused + 1] = kind
    refused[#refused + 1] = failed
  else
    if removed then redis.call('exists', index) end
    removed = false
    setTexts(ARGV, firstPair, firstEmpty - 1)
    setEmpty(ARGV, firstEmpty, firstDelete - 1)
    call('zadd', expiries, ARGV, firstTime, firstStep - 1)
    local ended = planned and setPlanned(planned, order) or {}
    if #ended == 0 then
      remove(ARGV, firstDelete, firstTime - 1)
    else
      for place = firstDelete, firstTime - 1 do ended[#ended + 1] = ARGV[place] end
      remove(ended, 1, #ended)
    end
    woken = woken or wake == 1
  end
  number = number + 1
end
if woken then redis.call('publish', ARGV[2], ARGV[3]) end
return refused
`);
