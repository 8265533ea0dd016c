import { z } from 'zod';
import { BODIES, fileBytes, open, read, signedIn, staff, write } from './call.ts';
import { proof, PROOF_REFUSALS, WITH_CODE } from './credentials.ts';
import { User, UserInfo } from '../entities.ts';
import {
  absentField,
  bioField,
  displayNameField,
  genderField,
  pagingFields,
  profileLinksField,
  someText,
  textField,
  thanksField,
  usernameField,
  versionField,
  websiteField,
} from '../fields.ts';
import type { TextsJudged } from '../public-texts.ts';
import { boolean, int, list, namesOf, string, strings } from '../titled.ts';

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
    thanks: 'emptied',
  },
  series: { title: 'replaced', description: 'emptied', cover: 'emptied' },
  tag: { description: 'emptied' },
  /** Deletes the file, even if it is in use. */
  picture: { file: 'emptied' },
} as const satisfies {
  user: Record<TextsJudged<'user', 'alone'> | 'avatar' | 'thanks', Outcome>;
  series: Record<TextsJudged<'series', 'alone'> | 'cover', Outcome>;
  tag: Record<Exclude<TextsJudged<'tag', 'alone'>, 'name'>, Outcome>;
  picture: { file: Outcome };
};
export type RemovalKind = keyof typeof REMOVALS;

const removalOf = <K extends RemovalKind>(kind: K) =>
  z.object({
    kind: z.literal(kind),
    field: z.enum(namesOf(REMOVALS[kind]), { error: '没有这项资料' }).meta({ title: '哪一项' }),
    /** A username, the id of a series or tag, or the name of a picture. */
    id: textField('编号', [1, 100]),
    reason: textField('理由', [1, 200]),
    /** Version of the account, series or tag; the name of a picture names its content. */
    version: kind === 'picture' ? absentField(versionField.default('')) : versionField,
  });

export const Removal = z.discriminatedUnion(
  'kind',
  [removalOf('user'), removalOf('series'), removalOf('tag'), removalOf('picture')],
  { error: '只能移除账号、专栏、标签的资料和图片' },
);
export type Removal = z.infer<typeof Removal>;

export const StaffProfile = z.object({
  username: string('用户名'),
  display_name: string('显示名'),
  bio: string('个人简介'),
  website: string('个人网站'),
  profile_links: strings('个人资料里的链接'),
  avatar: string('头像的文件名'),
  thanks: string('赞赏码图片的网址'),
  version: versionField,
  is_hidden: boolean('隐藏着没有'),
  series: list(
    '专栏',
    z.object({
      _id: string('编号'),
      title: string('标题'),
      description: string('摘要'),
      cover: string('封面'),
      version: versionField,
    }),
  ),
  tags: list(
    '标签',
    z.object({
      _id: string('编号'),
      name: string('名字'),
      description: string('摘要'),
      version: versionField,
    }),
  ),
  pictures: strings('图片'),
  picture_num: int('图片数'),
});
export type StaffProfile = z.infer<typeof StaffProfile>;

export const profileCalls = {
  getUserInfo: read(open('profile:read'), 'POST /api/signin/getUserInfo', '一位用户的资料和文章数', {
    input: z.object({ username: someText('用户名') }),
    output: UserInfo,
    refusals: ['USER_NOT_FOUND'],
  }),
  userDetail: read(open(), 'POST /api/user/detail', '一位用户的资料', {
    input: z.object({ username: someText('用户名') }),
    output: User,
    refusals: ['USER_NOT_FOUND'],
  }),
  updateBio: write(signedIn(), 'POST /api/user/updatebio', '修改自己的简介', {
    input: z.object({ bio: bioField }),
    refusals: ['WORD_REFUSED'],
    writes: ['user.bio'],
  }),
  usernameChange: write(signedIn(), 'POST /api/user/username', '修改自己的用户名', {
    description: `原来的用户名为这个账号保留，它的网址跳转到新的；30 天只能改一次，再改得到 429。${WITH_CODE}`,
    input: z.object({ username: usernameField, ...proof }),
    refusals: [...PROOF_REFUSALS, 'WORD_REFUSED', 'USERNAME_TAKEN', 'USERNAME_RESERVED'],
    writes: ['user.username'],
    isOptional: true,
  }),
  profileChange: write(signedIn(), 'POST /api/user/profile', '修改自己的显示名、网站和链接', {
    description:
      '三项一起保存，空的就清除。显示名不必唯一，但不能像别人的用户名；改后十分钟内可以更正，再改要等到一小时后，否则得到 429。',
    input: z.object({
      display_name: displayNameField,
      website: websiteField,
      profile_links: profileLinksField,
    }),
    refusals: ['WORD_REFUSED', 'USERNAME_TAKEN', 'USERNAME_RESERVED'],
    writes: ['user.display_name', 'user.website', 'user.profile_links'],
    isOptional: true,
  }),
  updateGender: write(signedIn(), 'POST /api/user/gender', '修改自己的性别', {
    input: z.object({ gender: genderField }),
    writes: [],
    isOptional: true,
  }),
  thanksChange: write(signedIn(), 'POST /api/user/thanks', '放上、更换或拿掉自己的赞赏码', {
    description: '图片要先用 uploadImage 上传；空的就拿掉。站长不允许赞赏码时得到 403。',
    input: z.object({ thanks: thanksField }),
    writes: [],
    isOptional: true,
  }),
  uploadAvatar: write(signedIn(), 'POST /api/file/uploadAvatar', '上传头像', {
    description: 'imgData 是 PNG、JPEG 或 WebP 图片的 data: 网址，不超过 16 MB；回答是文件名。',
    input: z.object({
      imgData: z.string({ error: '请选择要上传的图片' }).meta({ title: '图片的 data: 网址' }),
    }),
    output: z.string(),
    body: BODIES.dataUrl,
    refusals: ['IMAGE_UNREADABLE', 'IMAGE_MISSING', 'ACCOUNT_FULL', 'QUOTA_REACHED'],
    writes: [],
  }),
  avatar: read(open(), 'GET /api/file/avatar/user', '一位用户的头像', {
    input: z.object({ username: someText('用户名') }),
    output: fileBytes,
    refusals: ['FILE_NOT_FOUND'],
  }),
  statistics: read(signedIn('profile:read'), 'POST /api/statistics', '用户和公开文章的数目', {
    output: z.object({ userNum: int('用户数'), pageNum: int('公开的文章数') }),
  }),
};

const ofProfiles = staff('profiles.moderate', 'moderation');

export const staffProfileCalls = {
  staffProfile: read(ofProfiles, 'POST /api/staff/profile', '一个账号公开的资料和图片', {
    input: z.object({ username: textField('用户名', [1, 100]), ...pagingFields }),
    output: StaffProfile,
    refusals: ['USER_NOT_FOUND'],
  }),
  profileRemove: write(ofProfiles, 'POST /api/staff/profile/remove', '移除公开的资料或图片', {
    input: Removal,
    output: z.string(),
    refusals: ['USER_NOT_FOUND', 'SERIES_NOT_FOUND', 'TAG_NOT_FOUND', 'FILE_NOT_FOUND', 'VERSION_CHANGED'],
  }),
};
