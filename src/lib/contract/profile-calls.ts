import { z } from 'zod';
import { staff } from './call.ts';
import { pagingFields, textField } from './fields.ts';
import type { TextsJudged } from './public-texts.ts';
import { routes } from './routes.ts';

/** The effect of a removal: the field is emptied, or replaced where it cannot be empty. */
type Outcome = 'emptied' | 'replaced';

/**
 * Public fields of an account that staff can remove, by what they belong to. A text that is judged alone
 * (public-texts.ts) and is missing here is a type error; a tag's name is changed by renaming or merging it.
 */
export const REMOVALS = {
  user: { username: 'replaced', bio: 'emptied', avatar: 'emptied' },
  series: { title: 'replaced', description: 'emptied', cover: 'emptied' },
  tag: { description: 'emptied' },
  /** The file is deleted, whatever shows it. */
  picture: { file: 'emptied' },
} as const satisfies {
  user: Record<TextsJudged<'user', 'alone'> | 'avatar', Outcome>;
  series: Record<TextsJudged<'series', 'alone'> | 'cover', Outcome>;
  tag: Record<Exclude<TextsJudged<'tag', 'alone'>, 'name'>, Outcome>;
  picture: { file: Outcome };
};
export type RemovalKind = keyof typeof REMOVALS;

/** The request to remove a field of that kind. */
const removalOf = <K extends RemovalKind>(kind: K) =>
  z.object({
    kind: z.literal(kind),
    field: z.enum(Object.keys(REMOVALS[kind]) as [FieldOf<K>, ...FieldOf<K>[]], { error: '没有这项资料' }),
    /** A username, the id of a series or tag, or the name of a picture. */
    id: textField('编号', [1, 100]),
    /** Its owner sees it. */
    reason: textField('理由', [1, 200]),
  });
type FieldOf<K extends RemovalKind> = keyof (typeof REMOVALS)[K] & string;

export const Removal = z.discriminatedUnion(
  'kind',
  [removalOf('user'), removalOf('series'), removalOf('tag'), removalOf('picture')],
  { error: '只能移除账号、专栏、标签的资料和图片' },
);
export type Removal = z.infer<typeof Removal>;

/** An account's public fields as the console shows them. */
export const StaffProfile = z.object({
  username: z.string(),
  bio: z.string(),
  avatar: z.string(),
  /** Whether a ban hides it. */
  is_hidden: z.boolean(),
  series: z.array(
    z.object({ _id: z.string(), title: z.string(), description: z.string(), cover: z.string() }),
  ),
  /** Tags that it made and that have a description. */
  tags: z.array(z.object({ _id: z.string(), name: z.string(), description: z.string() })),
  /** A page of its uploaded pictures, newest first. */
  pictures: z.array(z.string()),
  picture_num: z.int(),
});
export type StaffProfile = z.infer<typeof StaffProfile>;

/** Calls of staff on what an account shows of itself. */
export const profileCalls = {
  staffProfile: staff(
    'read',
    'profiles.moderate',
    routes.staffProfile,
    z.object({ username: textField('用户名', [1, 100]), ...pagingFields }),
    StaffProfile,
  ),
  profileRemove: staff('write', 'profiles.moderate', routes.profileRemove, Removal, z.string()),
};
