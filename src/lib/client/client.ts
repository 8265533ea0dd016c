import type { z } from 'zod';
import type { CallInput, CallName, CallOutput, calls } from '../contract/calls/calls.ts';
import { isSameName } from '../contract/rules/names.ts';
import { routes } from '../contract/routes.generated.ts';
import { asksForSignIn, dataOf, EXPIRED, SIGNED_OUT, type Answer } from './answer.ts';
import { CallError } from './call-error.ts';
import { toForm, type FormFields } from './form.ts';
import type { SignIn } from './cookies.ts';
import { createFreshTokens, type FreshTokens, type StoredSignIn } from './fresh-token.ts';
import { readClaims } from '../shared/token.ts';
import { request, unreachable } from './transport.ts';

/** Fields that a caller passes, before the schema transforms them. */
type CallFields<N extends CallName> =
  unknown extends z.input<(typeof calls)[N]['input']> ? CallInput<N> : z.input<(typeof calls)[N]['input']>;

interface CallOptions {
  signal?: AbortSignal;
  /** Lets the request outlive the page (last save of a draft). Browsers limit such bodies to 64 KiB. */
  keepalive?: boolean;
  /** The caller shows refusals itself; `refused` is not called. */
  quiet?: boolean;
  /**
   * Runs unnoticed, like an autosave: no loading indicator, message or redirect to sign-in; only the error is
   * thrown.
   */
  background?: boolean;
  /** Fails as `signed-out` unless this user is signed in. */
  as?: string;
}

export interface ClientParts {
  signIn: StoredSignIn;
  /** Called when a call finds that the session has ended. */
  signedOut(): void;
  /** Called with the message of each refusal that the caller does not show itself. */
  refused(sentence: string): void;
  /** Called when a call starts. The returned function is called when it ends. */
  started(): () => void;
}

interface UploadOptions extends Pick<CallOptions, 'quiet'> {
  signal?: AbortSignal;
  /** Reports the share sent, 0 to 1. Starts at 0 again if the file has to be sent again. */
  progress?(share: number): void;
}

export interface Client extends Pick<FreshTokens, 'freshToken'> {
  /** Makes a call. Refreshes an expired token first, once for all tabs. @throws CallError */
  call<N extends CallName>(name: N, fields: CallFields<N>, options?: CallOptions): Promise<CallOutput<N>>;
  /** Uploads a file as `file` and reports the share sent. @throws CallError */
  upload(file: File, options: UploadOptions): Promise<CallOutput<'uploadImage'>>;
}

type Send = (token: string | undefined) => Promise<Answer>;
type Manners = Pick<CallOptions, 'signal' | 'quiet' | 'background' | 'as'>;

const SIGN_IN_AGAIN = '请重新登录';
/** Maximum tokens tried by a call. Two suffice unless a token expires in transit. */
const MAX_TOKENS = 3;

export function createClient({ signIn, signedOut, refused, started }: ClientParts): Client {
  const { freshToken, isOver } = createFreshTokens(signIn);

  async function make(name: CallName, send: Send, manners: Manners): Promise<unknown> {
    const done = manners.background ? () => undefined : started();
    try {
      return dataOf(await authorised(send, manners));
    } catch (error) {
      if (!manners.background) report(name, error, manners);
      throw error;
    } finally {
      done();
    }
  }

  /** Sends a call with an unexpired token, as the user who is signed in at the start. */
  async function authorised(send: Send, { as, signal }: Manners): Promise<Answer> {
    const known = signIn.read();
    if (as !== undefined && !(known && isSameName(known.username, as))) throw signedOutError(SIGNED_OUT);
    const nextOf = async (token: string): Promise<string | undefined> => {
      const next = await unlessAborted(signal, freshToken(token));
      const isTheirs = isSameUser(signIn.read(), known);
      if (next === null ? as !== undefined : !isTheirs) throw signedOutError(EXPIRED);
      return next ?? undefined;
    };
    let token = known?.token;
    // Calls that allow visitors never report an expired token.
    if (token !== undefined && isOver(token)) token = await nextOf(token);
    for (let left = MAX_TOKENS; ; left--) {
      const answer = await send(token);
      if (!asksForSignIn(answer)) return answer;
      if (token === undefined) throw signedOutError(known ? EXPIRED : SIGNED_OUT);
      if (left === 1) throw new CallError('fault', SIGN_IN_AGAIN, answer.status);
      if (answer.status === SIGNED_OUT && signIn.read()?.token === token) {
        signIn.forget();
        throw signedOutError(SIGNED_OUT);
      }
      token = await nextOf(token);
      if (token === undefined) throw signedOutError(EXPIRED);
    }
  }

  function report(name: CallName, error: unknown, { signal, quiet }: Manners): void {
    if (signal?.aborted) return;
    if (!(error instanceof CallError) || error.kind === 'fault') return console.error(`${name}:`, error);
    if (error.kind === 'refused' && !quiet) refused(error.message);
    // `unreachable` is not reported: nothing is wrong here, and the browser logs the request itself. If
    // another user is signed in by now, the page is theirs.
    if (error.kind === 'signed-out' && signIn.read() === null) signedOut();
  }

  return {
    async call(name, fields, { keepalive, ...manners } = {}) {
      const route = routes[name];
      const init = {
        ...(route[0] === 'POST' ? { body: toForm(fields as FormFields) } : {}),
        ...(manners.signal ? { signal: manners.signal } : {}),
        ...(keepalive ? { keepalive } : {}),
      };
      return (await make(name, (token) => request(route, token, init), manners)) as CallOutput<typeof name>;
    },
    async upload(file, options) {
      const send: Send = async (token) => (await loadSendFile()).sendFile(file, token, options);
      return (await make('uploadImage', send, options)) as CallOutput<'uploadImage'>;
    },
    freshToken,
  };
}

/** Whether both are the same user, perhaps renamed between them. */
function isSameUser(one: SignIn | null, other: SignIn | null): boolean {
  if (one?.username === other?.username) return true;
  const [id, otherId] = [one, other].map((each) => readClaims(each?.token ?? '')?.id);
  return id !== undefined && id === otherId;
}

/** Loaded on demand, because few readers upload. A failed load counts as an unreachable server. */
const loadSendFile = () =>
  import('./send-file.ts').catch((error: unknown) => {
    throw unreachable(error);
  });

const signedOutError = (status: number) => new CallError('signed-out', SIGN_IN_AGAIN, status);

/** Settles like `work`, or rejects as soon as `signal` is aborted. */
function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(unreachable(signal.reason));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
