import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import type { TokenPair } from '../../src/lib/contract/entities.ts';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { account, HOME, openAccounts, type AccountStage } from './accounts.ts';

export const { password: PASSWORD } = account('alice');
export const NEW_PASSWORD = 'another password';

/** Accounts, and actions for tests of their safety. */
export interface SafetyStage extends AccountStage {
  /** Returns the viewer of a token pair, or null once its sign-in has ended. */
  findViewer(pair: TokenPair): Promise<Viewer | null>;
  viewerOf(pair: TokenPair): Promise<Viewer>;
  /** Creates an account, by default alice, and signs in. */
  signup(name?: string): Promise<Viewer>;
  signin(from?: { client?: string }): Promise<TokenPair>;
  /** Signs alice in with her password; returns the ticket for the second step. */
  ticket(): Promise<string>;
  /** The current code of an authenticator app set up with `uri`. */
  codeOf(uri: string): string;
  /** Enables two-step verification; returns the app's URI and the recovery codes. */
  switchOn(viewer: Viewer): Promise<{ uri: string; codes: string[] }>;
}

export async function openSafety(options: Parameters<typeof openAccounts>[0] = {}): Promise<SafetyStage> {
  const stage = await openAccounts(options);
  const { auth, safety } = stage;
  const findViewer = async (pair: TokenPair) => (await auth.viewerOf(`Beare ${pair.token}`)).viewer;
  const viewerOf = async (pair: TokenPair): Promise<Viewer> => {
    const viewer = await findViewer(pair);
    if (!viewer) throw new Error('nobody is signed in');
    return viewer;
  };
  const signin = (from = {}) => auth.signin(account('alice'), { ...HOME, ...from });
  const codeOf = (uri: string) => new TOTP(partsOf(uri)).generate({ timestamp: stage.now() });
  return {
    ...stage,
    findViewer,
    viewerOf,
    signup: async (name = 'alice') => viewerOf(await auth.signup(account(name), HOME)),
    signin,
    async ticket() {
      const refusal = await signin().then(
        () => undefined,
        (error: unknown) => error as { code: string; ticket: string },
      );
      expect(refusal).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
      return refusal?.ticket ?? '';
    },
    codeOf,
    async switchOn(viewer) {
      const { ticket, uri } = await safety.beginTotp(viewer, PASSWORD, HOME);
      const { codes } = await safety.confirmTotp(viewer, { ticket, code: codeOf(uri) }, HOME);
      // A code is valid once, so the tests need a later one.
      stage.pass(60);
      return { uri, codes };
    },
  };
}

/** Parameters that an app reads from the QR code. */
export function partsOf(uri: string) {
  const { searchParams } = new URL(uri);
  return {
    secret: searchParams.get('secret') ?? '',
    digits: Number(searchParams.get('digits')),
    period: Number(searchParams.get('period')),
    algorithm: searchParams.get('algorithm') ?? '',
  };
}
