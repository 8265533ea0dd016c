import type { CallInput, CallName, calls } from './calls.ts';
import type { Permission } from './permissions.ts';
import type { AloneName, PublicEntity } from './public-texts.ts';

/** Calls of users, not staff, that write and take a field named like a text that is judged alone. */
export type Declaring = {
  [N in CallName]: (typeof calls)[N] extends { kind: 'read' } | { permission: Permission }
    ? never
    : Extract<keyof CallInput<N>, AloneName> extends never
      ? never
      : N;
}[CallName];

/**
 * Whose public texts such a call writes; `nothing` where the field only has the name of one. A call that is
 * missing here is a type error.
 */
export const WRITTEN_TEXTS = {
  signup: 'user',
  operatorSetup: 'user',
  updateBio: 'user',
  articleCreate: 'article',
  articleEdit: 'article',
  revisionSave: 'article',
  tagCreate: 'tag',
  seriesCreate: 'series',
  seriesEdit: 'series',
  /** A name that exists. */
  signin: 'nothing',
  /** Their owner alone sees them. */
  passkeyAdd: 'nothing',
  passkeyRename: 'nothing',
  /** Of a file. */
  pictureReplace: 'nothing',
} as const satisfies { readonly [N in Declaring]: PublicEntity | 'nothing' };

/** Whose public texts a call writes, or undefined. */
export function writtenBy(name: CallName): PublicEntity | undefined {
  const entity = name in WRITTEN_TEXTS ? WRITTEN_TEXTS[name as Declaring] : 'nothing';
  return entity === 'nothing' ? undefined : entity;
}
