#!lua
-- Sets when something is due in a match whose log still has the head given, else nothing.
-- KEYS: the match's log, its shard's heads, and the shard's two sets of the timetable: with running clocks, and without.
-- ARGV: match id, head's version, head's cursor, member, '1' for running clocks, ms since 1970 or ''.
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[2]) or redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[3] then
  return 0
end
redis.call('ZREM', KEYS[3], ARGV[4])
redis.call('ZREM', KEYS[4], ARGV[4])
if ARGV[6] ~= '' then
  redis.call('ZADD', ARGV[5] == '1' and KEYS[3] or KEYS[4], ARGV[6], ARGV[4])
end
return 1
