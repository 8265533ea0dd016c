import { REMOVALS } from '../../contract/calls/profile-calls.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Queryable } from '../db/database.ts';
import { hashOf } from '../shared/seal.ts';
import { findProfile } from './profile-queries.ts';

type Versioned = Exclude<keyof typeof REMOVALS, 'picture'>;
type FieldsOf<K extends Versioned> = Readonly<Record<keyof (typeof REMOVALS)[K], string | readonly string[]>>;

/** Version of an account, series or tag as staff reads it: a digest of the fields that staff can remove. */
export const profileVersion = <K extends Versioned>(kind: K, fields: FieldsOf<K>): string => {
  const names = Object.keys(REMOVALS[kind]) as (keyof FieldsOf<K>)[];
  return hashOf(JSON.stringify(names.map((name) => fields[name]))).slice(0, 40);
};

/** Version of an account; null if it does not exist. */
export async function findProfileVersion(db: Queryable, userId: string): Promise<string | null> {
  const profile = await findProfile(db, userId);
  return profile && profileVersion('user', profile);
}

/** Refuses with VERSION_CHANGED unless staff has read the current version. */
export function requireProfileVersion(current: string | null, read: string): void {
  if (current !== null && current !== read)
    refuse('VERSION_CHANGED', { text: '资料在你看过之后又改过，请看过现在的资料再决定' });
}
