import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { call } from './api.ts';
import { enterWith } from './enter.ts';

/** Loaded with the first passkey that is made or used. */
const load = () => import('@simplewebauthn/browser');

/** What browsers call it when the reader has closed their window, or let it stand. */
const GIVEN_UP = new Set(['NotAllowedError', 'AbortError']);

/** Whether this browser knows passkeys, at the address it is at: addresses of numbers have none. */
export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && isSecureContext && !/^[\d.]+$|:/.test(location.hostname);

/** Signs in with a passkey; false when the reader thought better of it. @throws CallError */
export async function enterByPasskey(): Promise<boolean> {
  const { startAuthentication } = await load();
  const options = await call('passkeyAsk', {}, { quiet: true });
  const response = await unlessGivenUp(() => startAuthentication({ optionsJSON: options }));
  if (!response) return false;
  await enterWith(await call('passkeySignin', { response: JSON.stringify(response) }, { quiet: true }));
  return true;
}

/** Makes a passkey in this device; false when the reader thought better of it. @throws CallError */
export async function addPasskey(name: string, password: string): Promise<boolean> {
  const { startRegistration } = await load();
  const { ticket, options } = await call('passkeyBegin', { password }, { quiet: true });
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
