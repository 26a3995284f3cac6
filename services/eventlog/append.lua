#!lua
-- Appends all entries of one command, or nothing (the log's format, Store). Answers 1, or on conflict the head's cursor.
-- KEYS: the match's log, its secret, and its shard's feed, heads and meta: one slot of a cluster.
-- ARGV: match id, cursor of the entry that they follow (0-0: none), head cursor to be, secret or '', then header, body,
-- leaf and hash of each entry. Where the timetable changes, its two sets (of matches with running clocks, and of others)
-- are keys too, and the last arguments its member, '1' for running clocks, and ms since 1970 or '' (nothing is due any
-- more). The length alone would take a log that went back and grew again for the one it was.
-- Reads come first: what they find wrong (a key of another type, too) is told before anything is written. The store
-- itself refuses the whole script when it is full, read-only or loading, because it declares no flags.
local log, secret, feed, heads, meta = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local match, after = ARGV[1], ARGV[2]
local expected = tonumber(string.match(after, '^%d+'))

local function cursor_of(last)
  local hash = string.gsub(string.sub((last[2][8] or '') .. string.rep('\0', 8), 1, 8), '.', function(byte)
    return string.format('%02x', string.byte(byte))
  end)
  return string.match(last[1], '^%d+') .. '-' .. hash
end

local length = redis.call('XLEN', log)
redis.call('XLEN', feed)
local head = redis.call('HGET', heads, match) or '0-0'
if length ~= expected or head ~= after then
  -- What `heads` says counts only while the log agrees.
  head = length == 0 and '0-0' or cursor_of(redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1])
  if length ~= expected or head ~= after then
    return head
  end
end
if expected == 0 then
  if ARGV[4] == '' then
    return redis.error_reply('NOSECRET version 1 comes with the secret of its match')
  end
  redis.call('STRLEN', secret)
  if redis.call('HEXISTS', meta, 'feed') == 0 then
    return redis.error_reply('EMPTIED the store has lost its feed counters: whoever opens it makes them anew')
  end
end
local clocked, waiting = KEYS[6], KEYS[7]
if clocked then
  redis.call('ZCARD', clocked)
  redis.call('ZCARD', waiting)
end

local now = redis.call('TIME')
local time = now[1] * 1000 + math.floor(now[2] / 1000)
local count = math.floor((#ARGV - 4) / 4)
-- The first write checks the type of `meta` itself.
local number = redis.call('HINCRBY', meta, 'feed', count) - count
for i = 1, count do
  local at = 4 * i
  redis.call('XADD', feed, (number + i) .. '-0', 'm', match, 't', time,
    'h', ARGV[at + 1], 'b', ARGV[at + 2], 'l', ARGV[at + 3], 'e', ARGV[at + 4])
end
for i = 1, count do
  local at = 4 * i
  redis.call('XADD', log, (expected + i) .. '-0',
    'h', ARGV[at + 1], 'b', ARGV[at + 2], 'l', ARGV[at + 3], 'e', ARGV[at + 4])
end
redis.call('HSET', heads, match, ARGV[3])
if expected == 0 then
  redis.call('SET', secret, ARGV[4])
end
if clocked then
  local member, runs, due = ARGV[#ARGV - 2], ARGV[#ARGV - 1], ARGV[#ARGV]
  redis.call('ZREM', clocked, member)
  redis.call('ZREM', waiting, member)
  if due ~= '' then
    redis.call('ZADD', runs == '1' and clocked or waiting, due, member)
  end
end
return 1
