import { z } from 'zod';
import { idField, pageField, pageSizeField, textField } from '../fields.ts';
import type { PublicText } from '../public-texts.ts';
import { BOUNDS } from '../rules/bounds.ts';
import type { RefusalCode } from '../rules/errors.ts';
import type { Permission } from '../rules/permissions.ts';
import type { Scope } from '../rules/scopes.ts';
import { KIB, MIB } from '../rules/units.ts';

type Method = 'GET' | 'POST';
type Path = `/api/${string}`;

/** Declaration of a call. Its route, types, description and tests are derived from it. */
export interface Call<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends Access {
  readonly method: Method;
  readonly path: Path;
  /** Writes have stricter rate limits. */
  readonly kind: 'read' | 'write';
  /** One line in Chinese. */
  readonly title: string;
  /** Sentences in Chinese for facts that the schemas cannot express. */
  readonly description?: string;
  readonly body: CallBody;
  readonly input: Input;
  readonly output: Output;
  /** Refusals beyond those that follow from the other properties (openapi/call-refusals.ts). */
  readonly refusals: readonly RefusalCode[];
  /** Texts that readers see and that the call writes or publishes. Staff is not judged and declares none. */
  readonly writes?: readonly PublicText[];
  /**
   * Servers of older versions or of other makes may lack it. An edge front finds out which its API lacks
   * (edge/api-facts.ts), and its pages hide the buttons and links that need them.
   */
  readonly isOptional: boolean;
  /** Part of the description that has the call. */
  readonly group: { readonly name: string; readonly description: string };
}

interface Access {
  /** `required` refuses an invalid token (A in CONTRACT.md); `optional` treats it as a visitor. */
  readonly auth: 'required' | 'optional';
  readonly permission?: Permission;
  /** Scope that the call requires of an access token; null if access tokens have no effect on it. */
  readonly scope: Scope | null;
}

export interface CallBody {
  /** `fields` is a form in qs style or JSON; `file` is a multipart form with a part named `file`. */
  readonly kind: 'fields' | 'file';
  /** Maximum bytes. */
  readonly most: number;
  /** Whether pictures that the field `content` contains as `data:` addresses become files (decision 0111). */
  readonly embeds?: boolean;
}

export const BODIES = {
  fields: { kind: 'fields', most: 256 * KIB },
  /** 200,000 characters outside the Basic Multilingual Plane are 2.4 MB as a form. */
  article: { kind: 'fields', most: 4 * MIB },
  /** An article with a picture of 16 MB in base64; its text without pictures is as in `article`. */
  embedding: { kind: 'fields', most: 2 * BOUNDS.imageBytes, embeds: true },
  /** 50,000 lines of a word, an action and a category, as a form. */
  words: { kind: 'fields', most: 16 * MIB },
  /** Base64 adds a third to a picture; a form escapes one character in 32 of it, to three each. */
  dataUrl: { kind: 'fields', most: 2 * BOUNDS.avatarBytes },
  file: { kind: 'file', most: BOUNDS.imageBytes + 64 * KIB },
} as const satisfies Record<string, CallBody>;

/** Bytes of a file, as input of a multipart form or as an answer that is a file. */
export const fileBytes = z.instanceof(Uint8Array).meta({ type: 'string', format: 'binary' });
const nothing = z.object({});
/** Output of calls that return a sentence for the reader. */
const notice = z.string();
export const byId = z.object({ id: idField.meta({ title: '编号' }) });
/** Pages of an author's own lists, and of the console's long ones. */
export const ownPaging = { page: pageField, pageSize: pageSizeField(BOUNDS.ownPageSize) };
export const searchField = textField('关键词', [0, 100]).optional().default('').catch('');
/** Refusal of a new password whose repetition differs. */
export const passwordsDiffer = { path: ['repassword'], error: '两次填写的密码不一致' };

/** Access of visitors too. */
export const open = (scope: Scope | null = null) => ({ auth: 'optional', scope }) as const;
/** Access of users. Without a scope, the call is closed to access tokens. */
export const signedIn = (scope: Scope | null = null) => ({ auth: 'required', scope }) as const;
export const staff = (permission: Permission, scope: Scope | null = null) =>
  ({ auth: 'required', permission, scope }) as const;

/** Properties that a declaration may omit. The default input is empty, the default output a sentence. */
type Details<I extends z.ZodType, O extends z.ZodType, P extends boolean> = Partial<
  Pick<Call<I, O>, 'description' | 'body' | 'input' | 'output' | 'refusals'>
> & { readonly isOptional?: P };

/** `writes` of calls of users that write. */
type Writes<K, A extends Access> = K extends 'read'
  ? object
  : A extends { permission: Permission }
    ? object
    : Required<Pick<Call, 'writes'>>;

/** @param place method and path @param title one line in Chinese */
const declare =
  <K extends Call['kind']>(kind: K) =>
  <
    A extends Access,
    M extends Method,
    P extends Path,
    I extends z.ZodType = typeof nothing,
    O extends z.ZodType = typeof notice,
    IsOptional extends boolean = false,
  >(
    access: A,
    place: `${M} ${P}`,
    title: string,
    details: Details<I, O, IsOptional> & Writes<K, A>,
  ) => {
    const [method, path] = place.split(' ') as [M, P];
    const { body = BODIES.fields, input = nothing, output = notice, isOptional = false } = details;
    const {
      description,
      refusals = [],
      writes,
    } = details as Partial<Pick<Call, 'description' | 'refusals' | 'writes'>>;
    return {
      ...access,
      ...(description === undefined ? {} : { description }),
      ...(writes && { writes }),
      method,
      path,
      kind,
      title,
      body,
      input: input as I,
      output: output as O,
      refusals,
      isOptional: isOptional as IsOptional,
    };
  };

export const read = declare('read');
export const write = declare('write');

/** Puts calls into a part of the description of the API; `name` and `description` are in Chinese. */
export const group = <C extends object>(name: string, description: string, calls: C) =>
  Object.fromEntries(
    Object.entries(calls).map(([call, declared]) => [call, { ...declared, group: { name, description } }]),
  ) as { [N in keyof C]: C[N] & Pick<Call, 'group'> };
