import { createTextJudge } from '../src/lib/server/moderation/text-judge.ts';
import { createWordFilter } from '../src/lib/server/moderation/word-filter.ts';
import { asClean } from '../src/lib/server/shared/clean-text.ts';
import { fakes } from './fakes.ts';

/** A text for a column that readers see. */
export const clean = (text: string) => asClean(text, 'site');

/** An account without a password, as the service of users adds it. */
export const newUser = (username: string, bio = '') => ({
  username: clean(username),
  bio: clean(bio),
  gender: 'x' as const,
  passwordHash: 'h',
});

/** A row of an account, as a table accepts it. */
export const asStored = <T extends { username: string; bio: string; links?: string }>(row: T) => ({
  ...row,
  username: clean(row.username),
  bio: clean(row.bio),
  display_name: clean(''),
  website: clean(''),
  links: clean(row.links ?? '[]'),
});

/** Judges texts where no word is listed. */
export const unlisted = createTextJudge(fakes({ words: { filter: async () => createWordFilter([]) } }));
