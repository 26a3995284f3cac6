#!lua
-- Notes that a game is served, and an outage where nobody noted it for long. Answers the last beat and all outages.
-- KEYS: the game's beats. ARGV: the beat's ms since 1970, the longest gap that is none, how many outages are kept.
-- Numbers stay texts: Lua would write them as 1.7e+12. An outage is `<since> <until> `.
local last = redis.call('HGET', KEYS[1], 'last') or '0'
local outages = redis.call('HGET', KEYS[1], 'outages') or ''
local at = tonumber(ARGV[1])
if at > tonumber(last) then
  if last ~= '0' and at > tonumber(last) + tonumber(ARGV[2]) then
    outages = outages .. last .. ' ' .. ARGV[1] .. ' '
    local _, words = string.gsub(outages, ' ', ' ')
    if words > 2 * tonumber(ARGV[3]) then
      outages = string.gsub(outages, '^%d+ %d+ ', '')
    end
    redis.call('HSET', KEYS[1], 'outages', outages)
  end
  last = ARGV[1]
  redis.call('HSET', KEYS[1], 'last', last)
end
return {last, outages}
