// The public API of one server, from the protos alone.
import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const PROTOS = fileURLToPath(new URL('../../../protos', import.meta.url));
const CALL_MS = 10_000;

// With `json` an Any whose type is loaded is read as its fields and an '@type', and written from them.
const OPTIONS = { includeDirs: [PROTOS], keepCase: true, enums: String, longs: Number, defaults: true, json: true };

/** The services of the server at `address`, with the payloads of `game` among their types. */
export function connect(address, game) {
  const files = ['tidelog/v1/identity.proto', 'tidelog/v1/matches.proto', `tidelog/games/${game}/v1/${game}.proto`];
  const { IdentityService, MatchService } = loadPackageDefinition(loadSync(files, OPTIONS)).tidelog.v1;
  const open = credentials.createInsecure();
  return { identity: new IdentityService(address, open), matches: new MatchService(address, open) };
}

/** The metadata of the calls of one player. */
export function bearer(token) {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}

/** The answer of a unary call. */
export function ask(service, method, request, metadata = new Metadata()) {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + CALL_MS;
    service[method](request, metadata, { deadline }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}
