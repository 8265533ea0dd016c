import type { z } from 'zod';
import type { Call } from '../../contract/calls.ts';
import type { Viewer } from '../auth/auth-service.ts';

/** Where a request comes from, as far as limits care. */
export interface From {
  /** Client address, after TRUST_PROXY. */
  address: string;
  /** What its device calls itself, of calls that sign in (device-cookie.ts). */
  device?: string | undefined;
}

/** What a handler is given: checked fields, and the caller the token stands for. */
export interface Asked<C extends Call> {
  input: z.infer<C['input']>;
  viewer: C['auth'] extends 'required' ? Viewer : Viewer | null;
  from: From;
  /** The Authorization header as sent. */
  authorization: string | undefined;
}

/** A call of the contract and what answers it: with its data, or with bytes that are ready to be sent. */
export type Route =
  | {
      call: Call;
      answer(asked: Asked<Call>): Promise<unknown>;
      /**
       * What a visitor's answer was made from (blog/page-tags.ts): it is kept until one of these changes. Null
       * where it is not worth keeping.
       */
      tagsOf?(input: unknown, output: unknown): readonly string[] | null;
    }
  | { call: Call; respond(asked: Asked<Call>, acceptEncoding: string | undefined): Promise<Response> };

/**
 * Declares what answers `call`; its result is checked against the call's output before it leaves.
 * @param tagsOf given where every visitor who sends the same fields gets the same answer, which is then kept
 */
export function route<I extends z.ZodType, O extends z.ZodType, A extends Call['auth']>(
  call: Call<I, O> & { auth: A },
  answer: (asked: Asked<Call<I, O> & { auth: A }>) => Promise<z.input<O>>,
  tagsOf?: (input: z.infer<I>, output: z.input<O>) => readonly string[] | null,
): Route {
  return { call, answer, ...(tagsOf && { tagsOf }) };
}

/** Declares what answers `call` with bytes it has checked against the call's output itself, in an encoding the client takes. */
export function bytesRoute<I extends z.ZodType, O extends z.ZodType, A extends Call['auth']>(
  call: Call<I, O> & { auth: A },
  respond: (asked: Asked<Call<I, O> & { auth: A }>, acceptEncoding: string | undefined) => Promise<Response>,
): Route {
  return { call, respond };
}
