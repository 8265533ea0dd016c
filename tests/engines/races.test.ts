import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { QUOTAS, type QuotaLimits } from '../../src/lib/server/shared/quota-rules.ts';
import { createQuotas, type Quotas } from '../../src/lib/server/quotas/quota-service.ts';
import { outcomesOf, race, unless } from '../race.ts';
import { account, HOME, ORIGIN } from './accounts.ts';
import { openSafety, PASSWORD, type SafetyStage } from './safety-stage.ts';

/** Concurrent uses of secrets that are valid once. */
let stage: SafetyStage;
let alice: Viewer;
let uri: string;
beforeAll(async () => {
  stage = await openSafety();
  alice = await stage.signup();
  ({ uri } = await stage.switchOn(alice));
});
afterAll(() => stage?.close());

race('using a refresh token', async () => {
  pair ??= await stage.auth.signup(account('bob', PASSWORD), HOME);
  const { refresh_token } = pair;
  const pairs = await Promise.all([stage.auth.refresh(refresh_token), stage.auth.refresh(refresh_token)]);
  [pair] = pairs;
  stage.pass(1);
  return pairs[0]?.refresh_token === pairs[1]?.refresh_token ? null : 'two successors';
});
let pair: Awaited<ReturnType<SafetyStage['auth']['refresh']>> | undefined;

race('using a one-time code', async () => {
  stage.pass(60);
  const [one, other] = [await stage.ticket(), await stage.ticket()];
  const code = stage.codeOf(uri);
  const finish = (ticket: string) => stage.auth.finishSignin({ ticket, code }, HOME);
  return unless(await outcomesOf([finish(one), finish(other)]), ['OK', 'CODE_WRONG']);
});

race('using a password reset link', async () => {
  const { link } = await stage.recovery.rescue('alice', { dropsSecondFactor: false }, async () => {});
  const reset = { token: link.split('#')[1] ?? '', new_password: PASSWORD };
  return unless(await outcomesOf([stage.recovery.reset(reset, HOME), stage.recovery.reset(reset, HOME)]), [
    'OK',
    'LINK_OVER',
  ]);
});

race('writing the last comment of a minute', async () => {
  quotas ??= createQuotas({
    db: stage.db,
    limits: { ...unlimited, commentsInMinute: 1 },
    timeZone: 'Asia/Shanghai',
    now: stage.now,
  });
  stage.pass(60);
  const use = () => stage.db.write((trx) => (quotas as Quotas).use(trx, alice, { commentsInMinute: 1 }));
  return unless(await outcomesOf([use(), use()]), ['OK', 'QUOTA_REACHED']);
});
let quotas: Quotas | undefined;
const unlimited = Object.fromEntries(Object.keys(QUOTAS).map((kind) => [kind, Infinity])) as QuotaLimits;

race('answering a passkey challenge', async () => {
  key ??= await addPasskey();
  const { challenge } = await stage.passkeys.ask();
  const response = signed(challenge, key);
  const signin = () => stage.passkeys.signin(response, HOME);
  return unless(await outcomesOf([signin(), signin()]), ['OK', 'PASSKEY_UNUSABLE']);
});
let key: KeyObject | undefined;

const KEY_ID = 'a2V5';

/** Adds a passkey to alice's account; the test keeps its private key. */
async function addPasskey(): Promise<KeyObject> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053).
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const row = { id: KEY_ID, user_id: alice.id, name: '', public_key: cose.toString('base64url') };
  const rest = { sign_count: 0, transports: '[]', create_time: 1, last_used: 1 };
  await stage.db.write(async (trx) => {
    await trx
      .insertInto('passkeys')
      .values({ ...row, ...rest })
      .execute();
  });
  return privateKey;
}

/** A device's response to a challenge. Like phones, it does not count signatures. */
function signed(challenge: string, key: KeyObject) {
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: ORIGIN }));
  const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
  // Flags: user present and verified; the signature counter is 0.
  const authenticator = Buffer.concat([sha256(new URL(ORIGIN).hostname), Buffer.from([5, 0, 0, 0, 0])]);
  const signature = createSign('sha256').update(authenticator).update(sha256(client)).sign(key);
  return {
    id: KEY_ID,
    rawId: KEY_ID,
    type: 'public-key' as const,
    response: {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authenticator.toString('base64url'),
      signature: signature.toString('base64url'),
    },
    clientExtensionResults: {},
  };
}
