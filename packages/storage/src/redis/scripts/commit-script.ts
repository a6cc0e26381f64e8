import { maxMessageCharacters } from "../../commit/notification-message.ts";
import { defineScript, visibleFunction } from "./script.ts";

/** The number of counts at the beginning of a commit. */
export const commitNumbers = 7;

/**
 * Applies commits of one partition in order. A rejected commit writes nothing and does not affect the others.
 * Every key and text is an argument of its own, because Redis' Lua would hash the parts of a larger one
 * again.
 *
 * During a slot migration, a script cannot create a Redis key again that it has emptied. So a commit sets
 * before it deletes, and deletes everything in one call. `exists` fails before the commit writes if an earlier one emptied the
 * index, and the earlier ones stay applied.
 */
export const commitScript = defineScript(`-- hookwright commit, version 8
-- KEYS[1] rows      hash: encoded key -> stored text, if it is not empty
-- KEYS[2] index     sorted set, all scores 0: encoded keys, also of rows with an empty text
-- KEYS[3] expiries  sorted set: encoded key by expiry (ms)
-- ARGV[1] now (ms), or '' for the server's clock  ARGV[2] channel of the notifications  ARGV[3] name of this process
-- then the commits, each one:
--   seven 32-bit counts: checks, pairs, empty texts, deletes, expiries, steps, notifications
--   keys to check, expected stored texts ('\\1': absent);
--   pairs to set (key, stored text), keys to set to the empty text, keys to delete, expiries (ms, key),
--   steps of keys with a sum or a relative expiry (set|delete|sum, key, text or amount, expiry or '' or '+' and ms from now);
--   the keys of its notification as JSON, without the outer brackets
-- returns for each rejected commit: its index from 0, the reason (1 check, 2 not an integer, 3 out of range), the key;
--   or 4 and the error of Redis, which let earlier commits write but not this one
local rows, index, expiries = KEYS[1], KEYS[2], KEYS[3]
-- unpack gets at most batch values, because Lua's C stack is limited to 8,000.
local batch, safe, absent, maxLength = 4000, 9007199254740991, '\\1', ${maxMessageCharacters}
${visibleFunction}

-- Calls a command with these values, several times if there are too many. Returns the sum of the replies.
local function call(command, key, values, first, last)
  local answer = 0
  for start = first, last, batch do
    answer = answer + redis.call(command, key, unpack(values, start, math.min(start + batch - 1, last)))
  end
  return answer
end

local removed = false

-- Sets pairs of key and stored text.
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
  local arriving, count = {}, 0
  for at = first, last do
    arriving[count + 1] = '0'
    arriving[count + 2] = keys[at]
    count = count + 2
  end
  -- Keys that were in the index may have a text in the hash.
  if call('zadd', index, arriving, 1, count) * 2 < count then call('hdel', rows, keys, first, last) end
end

local function remove(keys, first, last)
  call('hdel', rows, keys, first, last)
  if call('zrem', index, keys, first, last) > 0 then removed = true end
end

-- Calls a command that returns one value for each of these values, several times if there are too many.
local function read(command, key, values, first, last)
  if last < first then return {} end
  if last - first < batch then return redis.call(command, key, unpack(values, first, last)) end
  local found = {}
  for start = first, last, batch do
    local some = redis.call(command, key, unpack(values, start, math.min(start + batch - 1, last)))
    for at = 1, #some do found[start - first + at] = some[at] end
  end
  return found
end

-- Returns the text and the expiry of a key, given its hash value.
local function held(key, stored)
  if stored then return visible(stored) end
  if redis.call('zmscore', index, key)[1] then return '', '' end
end

-- Returns the first key whose check fails.
local function firstFailed(first, checks)
  local found, sought = read('hmget', rows, ARGV, first, first + checks - 1), {}
  for at = 1, checks do
    if not found[at] then sought[#sought + 1] = ARGV[first + at - 1] end
  end
  local scores, next = read('zmscore', index, sought, 1, #sought), 0
  for at = 1, checks do
    local stored, wanted, text = found[at], ARGV[first + checks + at - 1], nil
    if stored ~= wanted then
      if stored then
        text = visible(stored)
      else
        next = next + 1
        text = scores[next] and '' or nil
      end
      if wanted == absent then
        if text then return ARGV[first + at - 1] end
      elseif text ~= visible(wanted) then
        return ARGV[first + at - 1]
      end
    end
  end
end

-- Computes the results of the steps, or returns the reason of the rejection and its key.
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
      if string.byte(expires, 1) == 43 then expires = string.format('%.0f', now() + tonumber(expires)) end
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
    if current and current[2] ~= '' and tonumber(current[2]) <= now() then current = false end
    planned[key] = current
  end
  return nil, planned, order
end

-- Writes the results of the steps, except deletes, which it returns.
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

local refused, notified, seen = {}, {}, {}
local number, at, last = 0, 4, #ARGV
while at <= last do
  local checks, pairs, empties, deletes, times, steps, notifies = struct.unpack('>I4I4I4I4I4I4I4', ARGV[at])
  local firstCheck = at + 1
  local firstPair = firstCheck + 2 * checks
  local firstEmpty = firstPair + 2 * pairs
  local firstDelete = firstEmpty + empties
  local firstTime = firstDelete + deletes
  local firstStep = firstTime + 2 * times
  local firstNotified = firstStep + 4 * steps
  at = firstNotified + notifies
  local kind, failed, planned, order
  if removed then
    local found = redis.pcall('exists', index)
    if type(found) == 'table' then kind, failed = 4, found.err end
  end
  if not kind then
    failed = firstFailed(firstCheck, checks)
    kind = failed and 1
  end
  if not kind and steps > 0 then
    kind, planned, order = plan(firstStep, firstNotified - 1)
    failed = planned
  end
  if kind then
    refused[#refused + 1] = number
    refused[#refused + 1] = kind
    refused[#refused + 1] = failed
  else
    removed = false
    setTexts(ARGV, firstPair, firstEmpty - 1)
    setEmpty(ARGV, firstEmpty, firstDelete - 1)
    call('zadd', expiries, ARGV, firstTime, firstStep - 1)
    local ended = planned and setPlanned(planned, order) or {}
    if #ended == 0 then
      remove(ARGV, firstDelete, firstTime - 1)
    else
      for position = firstDelete, firstTime - 1 do ended[#ended + 1] = ARGV[position] end
      remove(ended, 1, #ended)
    end
    for position = firstNotified, at - 1 do
      if not seen[ARGV[position]] then notified[#notified + 1] = ARGV[position] end
      seen[ARGV[position]] = true
    end
  end
  number = number + 1
end
if #notified > 0 then
  local message = ARGV[3] .. ' [' .. table.concat(notified, ',') .. ']'
  -- The commits are written, so an error must not refuse them.
  redis.pcall('publish', ARGV[2], #message > maxLength and ARGV[3] or message)
end
return refused
`);
