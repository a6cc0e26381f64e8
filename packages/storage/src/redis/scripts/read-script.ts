import { defineScript } from "./script.ts";

/** What is kept under keys, at one moment, where some of it may be empty: those stand in the index alone. */
export const readScript = defineScript(`-- hookwright read, version 1
-- KEYS[1] rows  KEYS[2] index
-- ARGV the encoded keys, and the marks of their kinds: some 4,000 at most
-- returns the stored text of each, or false
local found = redis.call('hmget', KEYS[1], unpack(ARGV))
for at, stored in ipairs(found) do
  if not stored and redis.call('zscore', KEYS[2], ARGV[at]) then found[at] = '' end
end
return found
`);
