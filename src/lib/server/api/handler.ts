import type { Hono } from 'hono';
import type { z } from 'zod';
import type { Call } from '../../contract/calls/call.ts';
import type { CallName, calls } from '../../contract/calls/calls.ts';
import type { Viewer } from '../auth/auth-service.ts';

export interface From {
  address: string;
  device?: string | undefined;
}

export type ApiRoutes = Hono<{
  Bindings: From & { requestId: string };
  Variables: { device?: string };
}>;

export interface CallRequest<C extends Call> {
  input: z.infer<C['input']>;
  viewer: C['auth'] extends 'required' ? Viewer : Viewer | null;
  from: From;
  authorization: string | undefined;
  userAgent: string | undefined;
  /** `notes` of the answer of a call whose body `embeds` pictures, if there are any. */
  told: { notes?: string[] };
}

type Answer<C extends Call> = (asked: CallRequest<C>) => Promise<z.input<C['output']>>;

export type Handler<C extends Call> =
  | Answer<C>
  /** Every visitor who sends the same fields gets the same response, which is cached. */
  | {
      answer: Answer<C>;
      /** Returns the tags that invalidate the response (pages/page-tags.ts); null when it is not cached. */
      tagsOf(input: z.infer<C['input']>, output: z.input<C['output']>): readonly string[] | null;
    }
  /** All callers who send the same fields, signed in or not, get the same response, which is cached. */
  | {
      shared(input: z.infer<C['input']>): Promise<z.input<C['output']>>;
      tagsOf(input: z.infer<C['input']>, output: z.input<C['output']>): readonly string[] | null;
    }
  /** Returns a response that the handler has validated itself, in an encoding the client accepts. */
  | { respond(asked: CallRequest<C>, acceptEncoding: string | undefined): Promise<Response> };

/** A handler for each call except `avatar`, which is a file (`serveFiles`). */
export type Handlers = { readonly [N in Exclude<CallName, 'avatar'>]: Handler<(typeof calls)[N]> };

/** Creates a handler that responds with `text` once `work` is done. */
export const answerWith =
  <Asked>(text: string, work: (asked: Asked) => Promise<unknown>) =>
  async (asked: Asked): Promise<string> => {
    await work(asked);
    return text;
  };
