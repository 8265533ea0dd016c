import { randomBytes, type KeyObject } from 'node:crypto';
import { MINUTE_MS } from '../../shared/units.ts';
import { seal, unseal } from '../shared/seal.ts';
import type { Secrets } from './provider.ts';

const FLOW_LIFETIME_MS = 10 * MINUTE_MS;
const CONTEXT = 'sso flow';

/** A sign-in that has begun, kept in a cookie of the browser that began it. */
export interface Flow extends Secrets {
  /** Id of the provider. */
  provider: string;
  /** Path to open at the end. */
  next: string;
  /** Invitation code for a new account, or ''. */
  invite: string;
  /** User who links an account, null for a sign-in. */
  linkedTo: string | null;
  time: number;
}

const randomText = (): string => randomBytes(32).toString('base64url');

/** Begins a flow; returns it with the text for the cookie, which only this site can read. */
export function beginFlow(
  key: KeyObject,
  asked: Pick<Flow, 'provider' | 'next' | 'invite' | 'linkedTo'>,
  time: number,
): { flow: Flow; sealed: string } {
  const flow = { ...asked, state: randomText(), nonce: randomText(), verifier: randomText(), time };
  return { flow, sealed: seal(key, CONTEXT, JSON.stringify(flow)) };
}

/** Returns the flow in a cookie if it continues with `state` at `provider`, otherwise null. */
export function openFlow(
  key: KeyObject,
  sealed: string,
  { provider, state, now }: { provider: string; state: string | null; now: number },
): Flow | null {
  const text = unseal(key, CONTEXT, sealed);
  const flow = text === null ? null : (JSON.parse(text) as Flow);
  const isCurrent = flow?.provider === provider && flow.state === state;
  return flow && isCurrent && now - flow.time < FLOW_LIFETIME_MS ? flow : null;
}
