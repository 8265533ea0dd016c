import { z } from 'zod';
import { countField, idField, pageField, textField } from '../fields.ts';
import { BOUNDS, PAGE_SIZE } from '../rules/bounds.ts';
import type { Permission } from '../rules/permissions.ts';
import { KIB, MIB } from '../../shared/units.ts';

export interface Call<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  /** `required` refuses an invalid token (A in CONTRACT.md); `optional` treats it as a visitor. */
  readonly auth: 'required' | 'optional';
  readonly permission?: Permission;
  /** Writes have stricter rate limits. */
  readonly kind: 'read' | 'write';
  readonly body: CallBody;
  readonly input: Input;
  readonly output: Output;
}

export interface CallBody {
  /** `fields` is a form in qs style or JSON; `file` is a multipart form with a part named `file`. */
  readonly kind: 'fields' | 'file';
  /** Maximum bytes. */
  readonly most: number;
}

export const BODIES = {
  fields: { kind: 'fields', most: 256 * KIB },
  /** 200,000 characters outside the Basic Multilingual Plane are 2.4 MB as a form. */
  article: { kind: 'fields', most: 4 * MIB },
  /** 50,000 lines of a word, an action and a category, as a form. */
  words: { kind: 'fields', most: 16 * MIB },
  /** Base64 adds a third to a picture; a form escapes one character in 32 of it, to three each. */
  dataUrl: { kind: 'fields', most: 2 * BOUNDS.avatarBytes },
  file: { kind: 'file', most: BOUNDS.imageBytes + 64 * KIB },
} as const satisfies Record<string, CallBody>;

/** Bytes of a file, as input of a multipart form or as an answer that is a file. */
export const fileBytes = z.instanceof(Uint8Array).meta({ type: 'string', format: 'binary' });
export const nothing = z.object({});
/** Output of calls that return a sentence for the reader. */
export const notice = z.string();
export const byId = z.object({ id: idField });
/** Pages of an author's own lists, and of the console's long ones. */
export const ownPaging = { page: pageField, pageSize: countField(PAGE_SIZE, BOUNDS.ownPageSize) };
export const searchField = textField('关键词', [0, 100]).optional().default('').catch('');
/** Refusal of a new password whose repetition differs. */
export const passwordsDiffer = { path: ['repassword'], error: '两次填写的密码不一致' };

/** A call without its method and path, which `routes` has under the same name. */
export type CallSpec<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = Omit<
  Call<I, O>,
  'method' | 'path'
>;

type Kind = Call['kind'];
type Spec<K extends Kind, I extends z.ZodType, O extends z.ZodType> = CallSpec<I, O> & { kind: K };

export const open = <K extends Kind, I extends z.ZodType, O extends z.ZodType>(
  kind: K,
  input: I,
  output: O,
): Spec<K, I, O> & { auth: 'optional' } => ({ auth: 'optional', kind, body: BODIES.fields, input, output });

export const signedIn = <K extends Kind, I extends z.ZodType, O extends z.ZodType>(
  kind: K,
  input: I,
  output: O,
  body: CallBody = BODIES.fields,
): Spec<K, I, O> & { auth: 'required' } => ({ auth: 'required', kind, body, input, output });

export const staff = <K extends Kind, I extends z.ZodType, O extends z.ZodType>(
  kind: K,
  permission: Permission,
  input: I,
  output: O,
  body?: CallBody,
): Spec<K, I, O> & { auth: 'required'; permission: Permission } => ({
  ...signedIn(kind, input, output, body),
  permission,
});
