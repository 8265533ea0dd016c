import type { CallInput, CallName, calls } from './calls/calls.ts';
import type { Permission } from './rules/permissions.ts';
import type { AloneName, PublicEntity } from './public-texts.ts';

/** Write calls of users (not staff) with a field named like a text with judgement `alone`. */
export type Declaring = {
  [N in CallName]: (typeof calls)[N] extends { kind: 'read' } | { permission: Permission }
    ? never
    : Extract<keyof CallInput<N>, AloneName> extends never
      ? never
      : N;
}[CallName];

/**
 * The entity whose public texts a call writes; `nothing` if the field only has the same name. A missing call
 * is a type error.
 */
export const WRITTEN_TEXTS = {
  signup: 'user',
  operatorSetup: 'user',
  updateBio: 'user',
  usernameChange: 'user',
  profileChange: 'user',
  articleCreate: 'article',
  articleEdit: 'article',
  revisionSave: 'article',
  tagCreate: 'tag',
  seriesCreate: 'series',
  seriesEdit: 'series',
  /** An existing name. */
  signin: 'nothing',
  /** Visible to their owner only. */
  passkeyAdd: 'nothing',
  passkeyRename: 'nothing',
  accessTokenCreate: 'nothing',
  ownWebhookSave: 'nothing',
  /** A file name. */
  pictureReplace: 'nothing',
} as const satisfies { readonly [N in Declaring]: PublicEntity | 'nothing' };

export function writtenBy(name: CallName): PublicEntity | undefined {
  const entity = name in WRITTEN_TEXTS ? WRITTEN_TEXTS[name as Declaring] : 'nothing';
  return entity === 'nothing' ? undefined : entity;
}
