import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
} from '@simplewebauthn/browser';
import { call } from '../api.ts';
import { enterWith } from './enter.ts';

const load = () => import('@simplewebauthn/browser');

const GIVEN_UP = new Set(['NotAllowedError', 'AbortError']);

/** Whether this browser supports passkeys at the current address; IP addresses have none. */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && isSecureContext && !/^[\d.]+$|:/.test(location.hostname);

/** Challenges expire after ten minutes. */
const RENEWAL_INTERVAL_MS = 9 * 60_000;

/**
 * Offers passkeys in the browser's autofill, if supported; the page needs a field for `username webauthn`.
 * Resolves to true once a passkey has signed in; to false if that is not possible, the reader uses a passkey
 * otherwise (`enterByPasskey`), or `signal` aborts. @throws CallError
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
    }, RENEWAL_INTERVAL_MS);
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

/** Signs in with a passkey; false when the reader cancels. @throws CallError */
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

/** Creates a passkey on this device; false when the reader cancels. @throws CallError */
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
