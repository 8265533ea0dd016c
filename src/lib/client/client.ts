import type { z } from 'zod';
import type { CallInput, CallName, CallOutput, calls } from '../contract/calls.ts';
import { isSameName } from '../contract/names.ts';
import { routes } from '../contract/routes.ts';
import { asksForSignIn, dataOf, EXPIRED, SIGNED_OUT, type Answer } from './answer.ts';
import { CallError } from './call-error.ts';
import { toForm, type FormFields } from './form.ts';
import { createFreshTokens, type FreshTokens, type KeptSignIn } from './fresh-token.ts';
import { request, unreachable } from './transport.ts';

/** What a caller hands in: the fields of the call as its schema takes them. */
export type CallFields<N extends CallName> =
  unknown extends z.input<(typeof calls)[N]['input']> ? CallInput<N> : z.input<(typeof calls)[N]['input']>;

export interface CallOptions {
  signal?: AbortSignal;
  /** Lets the request outlive the page (the last save of a draft); browsers cut such bodies at 64 KiB. */
  keepalive?: boolean;
  /** The caller shows refusals itself; nothing is told through `refused`. */
  quiet?: boolean;
  /** Nobody waits for it (a saving draft): no loading sign, message or sign-in page; the error tells. */
  background?: boolean;
  /** Only in this user's name: with another, or nobody, signed in by then, it fails as `signed-out`. */
  as?: string;
}

/** What the client needs of its surroundings. */
export interface ClientParts {
  signIn: KeptSignIn;
  /** Told when a call finds that nobody is signed in any more. */
  signedOut(): void;
  /** Told the sentence of each refusal that no caller wants to show itself. */
  refused(sentence: string): void;
  /** Told when a call starts; the function returned, when it is over. */
  started(): () => void;
}

export interface UploadOptions extends Pick<CallOptions, 'quiet'> {
  signal?: AbortSignal;
  /** Told the share sent, 0 to 1; from 0 again when the file has to be sent again. */
  progress?(share: number): void;
}

/** Calls of the contract. */
export interface Client extends Pick<FreshTokens, 'freshToken'> {
  /** Makes a call; an expired token is replaced first, once for all tabs. @throws CallError */
  call<N extends CallName>(name: N, fields: CallFields<N>, options?: CallOptions): Promise<CallOutput<N>>;
  /** Sends a file as `file`, reporting the share sent. @throws CallError */
  upload(file: File, options: UploadOptions): Promise<CallOutput<'uploadImage'>>;
}

/** Makes the request with a token, or as a visitor. */
type Send = (token: string | undefined) => Promise<Answer>;
type Manners = Pick<CallOptions, 'signal' | 'quiet' | 'background' | 'as'>;

const SIGN_IN_AGAIN = '请重新登录';
/** Tokens a call tries. Two are enough unless they end while they travel. */
const TRIES = 3;

/** A client over `fetch`, for the browser. */
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

  /** The answer to a call made with a token that is not over, as whoever is signed in when it starts. */
  async function authorised(send: Send, { as, signal }: Manners): Promise<Answer> {
    const known = signIn.read();
    if (as !== undefined && !(known && isSameName(known.username, as))) throw signedOutError(SIGNED_OUT);
    const nextOf = async (token: string): Promise<string | undefined> => {
      const next = await unlessAborted(signal, freshToken(token));
      const isTheirs = signIn.read()?.username === known?.username;
      if (next === null ? as !== undefined : !isTheirs) throw signedOutError(EXPIRED);
      return next ?? undefined;
    };
    let token = known?.token;
    // Calls that visitors may make too never answer that a token is over.
    if (token !== undefined && isOver(token)) token = await nextOf(token);
    for (let left = TRIES; ; left--) {
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

  /** Says what became of a call, where somebody waits for it. */
  function report(name: CallName, error: unknown, { signal, quiet }: Manners): void {
    if (signal?.aborted) return;
    if (!(error instanceof CallError) || error.kind === 'fault') return console.error(`${name}:`, error);
    if (error.kind === 'refused' && !quiet) refused(error.message);
    // Of `unreachable` nothing is said: nothing is wrong here, and the browser reports the request itself.
    // With somebody else signed in by now, the page is theirs.
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

/** Few who read upload. A part that does not come is an answer that does not. */
const loadSendFile = () =>
  import('./send-file.ts').catch((error: unknown) => {
    throw unreachable(error);
  });

const signedOutError = (status: number) => new CallError('signed-out', SIGN_IN_AGAIN, status);

/** `work`, or a failure as soon as `signal` says that nobody waits any more. */
function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(unreachable(signal.reason));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
