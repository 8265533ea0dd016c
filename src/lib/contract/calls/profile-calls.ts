import { z } from 'zod';
import { staff } from './call.ts';
import { absentField, pagingFields, textField, versionField } from '../fields.ts';
import type { TextsJudged } from '../public-texts.ts';

type Outcome = 'emptied' | 'replaced';

/**
 * Public fields that staff can remove, by the kind of owner. A text with judgement `alone` (public-texts.ts)
 * that is missing here is a type error; tag names are changed by renaming or merging.
 */
export const REMOVALS = {
  user: {
    username: 'replaced',
    display_name: 'emptied',
    bio: 'emptied',
    website: 'emptied',
    profile_links: 'emptied',
    avatar: 'emptied',
  },
  series: { title: 'replaced', description: 'emptied', cover: 'emptied' },
  tag: { description: 'emptied' },
  /** Deletes the file, even if it is in use. */
  picture: { file: 'emptied' },
} as const satisfies {
  user: Record<TextsJudged<'user', 'alone'> | 'avatar', Outcome>;
  series: Record<TextsJudged<'series', 'alone'> | 'cover', Outcome>;
  tag: Record<Exclude<TextsJudged<'tag', 'alone'>, 'name'>, Outcome>;
  picture: { file: Outcome };
};
export type RemovalKind = keyof typeof REMOVALS;

const removalOf = <K extends RemovalKind>(kind: K) =>
  z.object({
    kind: z.literal(kind),
    field: z.enum(Object.keys(REMOVALS[kind]) as [FieldOf<K>, ...FieldOf<K>[]], { error: '没有这项资料' }),
    /** A username, the id of a series or tag, or the name of a picture. */
    id: textField('编号', [1, 100]),
    reason: textField('理由', [1, 200]),
    /** Version of the account, series or tag; the name of a picture names its content. */
    version: kind === 'picture' ? absentField(versionField.default('')) : versionField,
  });
type FieldOf<K extends RemovalKind> = keyof (typeof REMOVALS)[K] & string;

export const Removal = z.discriminatedUnion(
  'kind',
  [removalOf('user'), removalOf('series'), removalOf('tag'), removalOf('picture')],
  { error: '只能移除账号、专栏、标签的资料和图片' },
);
export type Removal = z.infer<typeof Removal>;

export const StaffProfile = z.object({
  username: z.string(),
  display_name: z.string(),
  bio: z.string(),
  website: z.string(),
  profile_links: z.array(z.string()),
  avatar: z.string(),
  version: versionField,
  is_hidden: z.boolean(),
  series: z.array(
    z.object({
      _id: z.string(),
      title: z.string(),
      description: z.string(),
      cover: z.string(),
      version: versionField,
    }),
  ),
  tags: z.array(
    z.object({ _id: z.string(), name: z.string(), description: z.string(), version: versionField }),
  ),
  pictures: z.array(z.string()),
  picture_num: z.int(),
});
export type StaffProfile = z.infer<typeof StaffProfile>;

export const profileCalls = {
  staffProfile: staff(
    'read',
    'profiles.moderate',
    z.object({ username: textField('用户名', [1, 100]), ...pagingFields }),
    StaffProfile,
  ),
  profileRemove: staff('write', 'profiles.moderate', Removal, z.string()),
};
