#!lua
-- Drops a feed's entries older than a store time; answers how many. KEYS: feed, meta. ARGV: ms since 1970.
-- Numbers are dense from the first entry held to the last one given, and times do not fall: a binary search.
local feed, before = KEYS[1], tonumber(ARGV[1])
local oldest = redis.call('XRANGE', feed, '-', '+', 'COUNT', 1)[1]
if not oldest then
  return 0
end

local function time_of(number)
  local fields = redis.call('XRANGE', feed, number .. '-0', '+', 'COUNT', 1)[1][2]
  return tonumber(fields[4])
end

local low = tonumber(string.match(oldest[1], '^%d+'))
local high = tonumber(redis.call('HGET', KEYS[2], 'feed')) + 1
while low < high do
  local middle = math.floor((low + high) / 2)
  if time_of(middle) < before then
    low = middle + 1
  else
    high = middle
  end
end
return redis.call('XTRIM', feed, 'MINID', low .. '-0')
