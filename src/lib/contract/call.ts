import type { z } from 'zod';
import { BOUNDS } from './bounds.ts';
import type { Permission } from './permissions.ts';
import type { Route } from './routes.ts';

/** One call of the wire contract: where it is, who may ask, what goes in and what comes out. */
export interface Call<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  /** Whether an unusable token is refused (A in CONTRACT.md) or means "visitor". */
  readonly auth: 'required' | 'optional';
  /** What the caller's role has to allow, of calls for staff. */
  readonly permission?: Permission;
  /** Writes are limited more strictly. */
  readonly kind: 'read' | 'write';
  /** How a POST carries its fields; a GET carries them in its query. */
  readonly body: CallBody;
  readonly input: Input;
  readonly output: Output;
}

export interface CallBody {
  /** Fields are a form in qs style or JSON; a file is the part `file` of a multipart form. */
  readonly kind: 'fields' | 'file';
  /** The most bytes it may have. */
  readonly most: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const BODIES = {
  fields: { kind: 'fields', most: 256 * KIB },
  /** 200,000 characters outside the basic plane are 2.4 MB as a form. */
  article: { kind: 'fields', most: 4 * MIB },
  /** Base64 adds a third to a picture, and a form escapes one character in 32 of it, to three each. */
  dataUrl: { kind: 'fields', most: 2 * BOUNDS.avatarBytes },
  file: { kind: 'file', most: BOUNDS.imageBytes + 64 * KIB },
} as const satisfies Record<string, CallBody>;

type Kind = Call['kind'];
type At<K extends Kind, R extends Route, I extends z.ZodType, O extends z.ZodType> = Call<I, O> & {
  kind: K;
  method: R[0];
  path: R[1];
};

/** Declares a call open to visitors. */
export const open = <K extends Kind, R extends Route, I extends z.ZodType, O extends z.ZodType>(
  kind: K,
  [method, path]: R,
  input: I,
  output: O,
): At<K, R, I, O> & { auth: 'optional' } => ({
  method,
  path,
  auth: 'optional',
  kind,
  body: BODIES.fields,
  input,
  output,
});

/** Declares a call for whoever has signed in. */
export const signedIn = <K extends Kind, R extends Route, I extends z.ZodType, O extends z.ZodType>(
  kind: K,
  [method, path]: R,
  input: I,
  output: O,
  body: CallBody = BODIES.fields,
): At<K, R, I, O> & { auth: 'required' } => ({ method, path, auth: 'required', kind, body, input, output });

/** Declares a call for staff: whoever has signed in with a role that has `permission`. */
export const staff = <K extends Kind, R extends Route, I extends z.ZodType, O extends z.ZodType>(
  kind: K,
  permission: Permission,
  route: R,
  input: I,
  output: O,
): At<K, R, I, O> & { auth: 'required'; permission: Permission } => ({
  ...signedIn(kind, route, input, output),
  permission,
});
