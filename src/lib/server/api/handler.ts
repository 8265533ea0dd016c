import type { Hono } from 'hono';
import type { z } from 'zod';
import type { Call } from '../../contract/call.ts';
import type { CallName, calls } from '../../contract/calls.ts';
import type { Viewer } from '../auth/auth-service.ts';

/** Where a request comes from, as far as limits care. */
export interface From {
  /** Client address, after TRUST_PROXY. */
  address: string;
  /** What its device calls itself, of calls that sign in (device-cookie.ts). */
  device?: string | undefined;
}

/** The API as Hono runs it: what the server says of a request, and what is kept while it is answered. */
export type ApiRoutes = Hono<{
  Bindings: From & { requestId: string };
  Variables: { device?: string };
}>;

/** What a handler is given: checked fields, and the caller the token stands for. */
export interface Asked<C extends Call> {
  input: z.infer<C['input']>;
  viewer: C['auth'] extends 'required' ? Viewer : Viewer | null;
  from: From;
  /** The Authorization header as sent. */
  authorization: string | undefined;
  /** The User-Agent header as sent. */
  userAgent: string | undefined;
}

/** Answers a call with its data, which is checked against the call's output before it leaves. */
type Answer<C extends Call> = (asked: Asked<C>) => Promise<z.input<C['output']>>;

/** What answers a call. */
export type Handler<C extends Call> =
  | Answer<C>
  /** Every visitor who sends the same fields gets the same answer, which is kept. */
  | {
      answer: Answer<C>;
      /** What invalidates an answer (blog/page-tags.ts); null: it is not kept. */
      tagsOf(input: z.infer<C['input']>, output: z.input<C['output']>): readonly string[] | null;
    }
  /** The same answer for everyone who sends the same fields, signed in or not: it is kept for all of them. */
  | {
      shared(input: z.infer<C['input']>): Promise<z.input<C['output']>>;
      tagsOf(input: z.infer<C['input']>, output: z.input<C['output']>): readonly string[] | null;
    }
  /** With bytes that it has checked itself, in an encoding the client takes. */
  | { respond(asked: Asked<C>, acceptEncoding: string | undefined): Promise<Response> };

/** A handler for each call but `avatar`, which is a file (`serveFiles`). */
export type Handlers = { readonly [N in Exclude<CallName, 'avatar'>]: Handler<(typeof calls)[N]> };
