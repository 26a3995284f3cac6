// Plays both seats of one match to its end: node play.mjs ADDRESS json|typed
//
// Prints {match_id, ranking} as seat 0 sees it at the end. It knows no rule: every move is one that the API lists.
import { randomUUID } from 'node:crypto';
import { ask, bearer, connect } from './api.mjs';
import { FORMS } from './payloads.mjs';

const GAME = 'lost_seas';

const [address, formName] = process.argv.slice(2);
const form = FORMS[formName];
if (!address || !form) {
  throw new Error(`usage: node play.mjs ADDRESS ${Object.keys(FORMS).join('|')}`);
}

const { identity, matches } = connect(address, GAME);

async function signIn(name) {
  const { token } = await ask(identity, 'SignInAsGuest', { name });
  return bearer(token);
}

function command(method, request, player) {
  return ask(matches, method, { request_id: randomUUID(), ...request }, player);
}

/** The situations of a seat, each with something to decide, until the match is over. */
async function* decisions(match_id, seat, player) {
  const stream = matches.WatchMatch({ match_id, seat, accept: form.accept, include: ['INCLUDE_LEGAL'] }, player);
  let latest = 0;
  for await (const { updates } of stream) {
    for (const { entry, caught_up, end } of updates) {
      if (end?.refusal) {
        throw new Error(`the watch ended: ${end.refusal.message}`);
      }
      const situation = entry?.situation ?? caught_up?.situation;
      // Another seat's command tells a decision again that was answered meanwhile.
      if (situation?.legal && situation.decision > latest) {
        latest = situation.decision;
        yield situation;
      }
    }
  }
}

async function playSeat(match_id, seat, player) {
  for await (const { legal, decision } of decisions(match_id, seat, player)) {
    const moves = legal.moves.map(form.read);
    const move = moves[decision % moves.length];
    await command('SubmitMove', { match_id, seat, move: form.write(move), decision }, player);
  }
}

const players = await Promise.all([signIn('Ada'), signIn('Grace')]);
const { receipt } = await command('CreateMatch', { game: GAME, seats: players.length, own_seat: 0 }, players[0]);
const { match_id } = receipt;
await command('JoinMatch', { match_id, seat: 1 }, players[1]);
await Promise.all(players.map((player, seat) => playSeat(match_id, seat, player)));

const { view } = await ask(matches, 'GetView', { match_id, seat: 0, accept: form.accept }, players[0]);
const { ranking } = form.read(view).outcome;
console.log(JSON.stringify({ match_id, ranking }));
matches.close();
identity.close();
