import { defineScript } from "./script.ts";

/** Calls each command of the other scripts, and changes nothing. */
export const rightsScript = defineScript(`-- hookwright rights, version 3
-- KEYS rows, index, expiries; rows, index, expiries …  ARGV[1] channel of the notifications
-- returns pairs: the command that was refused, and the error
local refused = {}
-- Encoded keys never begin with NUL.
local none = '\\0rights'

local function try(command, ...)
  local reply = redis.pcall(command, ...)
  if type(reply) ~= 'table' or not reply.err then return true end
  refused[#refused + 1] = command
  refused[#refused + 1] = reply.err
end

for at = 1, #KEYS, 3 do
  local rows, index, expiries = KEYS[at], KEYS[at + 1], KEYS[at + 2]
  try('hget', rows, none)
  try('hmget', rows, none)
  try('zmscore', index, none)
  try('exists', index)
  try('zrangebylex', index, '[' .. none, '[' .. none, 'limit', '0', '1')
  try('zrevrangebylex', index, '[' .. none, '[' .. none, 'limit', '0', '1')
  try('zrangebyscore', expiries, '0', '0', 'limit', '0', '1')
  try('zadd', index, 'xx', '0', none)
  try('zadd', expiries, 'xx', '0', none)
  try('zrem', index, none)
  try('zrem', expiries, none)
  -- Only HSET needs something to set. One key is enough, because HDEL has shown that keys may be written.
  if try('hdel', rows, none) and at == 1 and try('hset', rows, none, '') then redis.call('hdel', rows, none) end
end
-- Nobody reads an empty message.
try('publish', ARGV[1], '')
return refused
`);
