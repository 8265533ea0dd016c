import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
} from '@simplewebauthn/browser';
import { call } from './api.ts';
import { enterWith } from './enter.ts';

/** Loaded with the first passkey that is made or used. */
const load = () => import('@simplewebauthn/browser');

/** What browsers call it when the reader has closed their window, or let it stand. */
const GIVEN_UP = new Set(['NotAllowedError', 'AbortError']);

/** Whether this browser knows passkeys, at the address it is at: addresses of numbers have none. */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && isSecureContext && !/^[\d.]+$|:/.test(location.hostname);

/** Challenges end after ten minutes. */
const RENEW_MS = 9 * 60_000;

/**
 * Has the browser offer passkeys where it fills in names, if it knows how to: with a field for
 * `username webauthn` on the page. Resolves to true once one has signed in; to false where that cannot be,
 * the reader asks for a passkey otherwise (`enterByPasskey`), or `signal` ends it. @throws CallError
 */
export async function enterByAutofill(signal: AbortSignal): Promise<boolean> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return false;
  const { startAuthentication, WebAuthnAbortService } = await load();
  for (let isCurrent = true; isCurrent && !signal.aborted;) {
    isCurrent = false;
    const optionsJSON = await call('passkeyAsk', {}, { quiet: true, background: true });
    if (signal.aborted) break;
    const stop = () => WebAuthnAbortService.cancelCeremony();
    const timer = setTimeout(() => {
      isCurrent = true;
      stop();
    }, RENEW_MS);
    signal.addEventListener('abort', stop);
    try {
      const asked = startAuthentication({ optionsJSON, useBrowserAutofill: true });
      const response = await unlessGivenUp(() => asked);
      if (response) return await finish(response);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }
  return false;
}

/** Signs in with a passkey; false when the reader thought better of it. @throws CallError */
export async function enterByPasskey(): Promise<boolean> {
  const { startAuthentication } = await load();
  const options = await call('passkeyAsk', {}, { quiet: true });
  const response = await unlessGivenUp(() => startAuthentication({ optionsJSON: options }));
  if (!response) return false;
  return finish(response);
}

async function finish(response: AuthenticationResponseJSON): Promise<true> {
  await enterWith(await call('passkeySignin', { response: JSON.stringify(response) }, { quiet: true }));
  return true;
}

/** Makes a passkey in this device; false when the reader thought better of it. @throws CallError */
export async function addPasskey(
  name: string,
  proof: { password: string; code: string | undefined },
): Promise<boolean> {
  const { startRegistration } = await load();
  const { ticket, options } = await call('passkeyBegin', proof, { quiet: true });
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await unlessGivenUp(() => startRegistration({ optionsJSON }));
  if (!response) return false;
  await call('passkeyAdd', { ticket, name, response: JSON.stringify(response) }, { quiet: true });
  return true;
}

async function unlessGivenUp<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && GIVEN_UP.has(error.name)) return null;
    throw error;
  }
}
