import { z } from 'zod';
import { accountCalls } from './account-calls.ts';
import { activityCalls } from './activity-calls.ts';
import {
  Article,
  ArticleListItem,
  ArticleSource,
  listOf,
  Schedule,
  Tag,
  TokenPair,
  TrashedArticle,
  User,
  UserInfo,
  Version,
  VersionItem,
} from '../entities.ts';
import { ArticleRevision, EditedArticle, NewArticle } from '../article-fields.ts';
import { OWN_SORTS, OWN_STATES } from '../rules/own-list.ts';
import { BOUNDS, PAGE_SIZE } from '../rules/bounds.ts';
import {
  BODIES,
  byId,
  fileBytes,
  nothing,
  notice,
  open,
  ownPaging,
  signedIn,
  passwordsDiffer,
  type Call,
  type CallSpec,
} from './call.ts';
import { commentCalls } from './comment-calls.ts';
import { discoveryCalls } from './discovery-calls.ts';
import { noticeCalls } from './notice-calls.ts';
import { pictureCalls } from './picture-calls.ts';
import { profileCalls } from './profile-calls.ts';
import {
  absentField,
  pageField,
  pagingFields,
  bioField,
  booleanField,
  countField,
  descriptionField,
  displayNameField,
  genderField,
  idField,
  instantField,
  keywordsField,
  passwordField,
  profileLinksField,
  repeatedPasswordField,
  someText,
  tagField,
  textField,
  usernameField,
  websiteField,
} from '../fields.ts';
import { routes, type RouteName } from '../rules/routes.ts';
import { searchCalls } from './search-calls.ts';
import { seriesCalls } from './series-calls.ts';
import { moderationCalls } from './moderation-calls.ts';
import { staffRead } from './inspection-call.ts';
import { checkField } from '../human-check.ts';
import { articleSettings } from './settings-call.ts';
import { SiteFacts } from '../site.ts';
import { signupCalls } from './signup-calls.ts';
import { originCalls } from './origin-calls.ts';
import { staffCalls } from './staff-calls.ts';
import { identityCalls } from '../site-identity.ts';
import { tagConsoleCalls } from './tag-console-calls.ts';
import { navigationCalls } from './navigation-calls.ts';

const ownSort = z.enum(OWN_SORTS).catch('create_time');
const sort = z.enum(['create_time', 'update_time']).catch('create_time');
const gender = absentField(genderField.default('x'));

const SavedArticle = z.object({
  id: z.string(),
  page_num: z.int(),
  draft_num: z.int(),
  // For a new article sent only if the call has a `request_id`; other servers never send it.
  update_time: z.iso.datetime().optional(),
});

/** `pending`: the change waits for staff, as the unpublished revision; readers see the approved text. */
const EditedAnswer = SavedArticle.extend({
  pending: z.boolean().optional(),
  revision_time: z.iso.datetime().optional(),
});

const specs = {
  signup: open(
    'write',
    z
      .object({
        username: usernameField,
        password: passwordField,
        repassword: repeatedPasswordField,
        gender,
        bio: absentField(bioField.default('')),
        invite: absentField(textField('邀请码', [0, 40]).default('')),
        check: checkField,
      })
      .refine((body) => body.password === body.repassword, passwordsDiffer)
      .transform((body) => {
        const { repassword: _, ...account } = body;
        return account;
      }),
    TokenPair,
  ),
  signin: open(
    'write',
    z.object({
      username: z
        .string({ error: '请填写用户名' })
        .trim()
        .min(1, '请填写用户名')
        .max(200, '用户名应为 2–20 个字符'),
      password: z.string({ error: '请填写密码' }).min(1, '请填写密码').max(1024, '密码应为 8–128 个字符'),
    }),
    TokenPair,
  ),
  refreshToken: open('read', nothing, TokenPair),
  signout: open('write', nothing, notice),
  ...accountCalls,
  getUserInfo: open('read', z.object({ username: someText }), UserInfo),
  userDetail: open('read', z.object({ username: someText }), User),
  updateBio: signedIn('write', z.object({ bio: bioField }), notice),
  /** Replaces all three. */
  profileChange: signedIn(
    'write',
    z.object({ display_name: displayNameField, website: websiteField, profile_links: profileLinksField }),
    notice,
  ),
  updateGender: signedIn('write', z.object({ gender: genderField }), notice),

  articleList: open(
    'read',
    z.object({
      type: z.enum(['', 'tag', 'create_user']).catch(''),
      content: someText,
      sort,
      pinned: absentField(booleanField.optional()).catch(undefined),
      ...pagingFields,
    }),
    listOf(ArticleListItem),
  ),
  ...searchCalls,
  articleDetail: open('read', byId, Article),
  articleSource: signedIn('read', byId, ArticleSource),
  ownArticleList: signedIn(
    'read',
    z.object({
      type: z.literal('create_user').catch('create_user'),
      content: someText,
      status: z.enum(['normal', 'draft']).catch('normal'),
      secret: absentField(booleanField.optional()).catch(undefined),
      sort: ownSort,
      keywords: keywordsField.default('').catch(''),
      tag: someText.optional(),
      state: z.enum(OWN_STATES).optional().catch(undefined),
      ...ownPaging,
    }),
    listOf(ArticleListItem),
  ),
  articleCreate: signedIn(
    'write',
    NewArticle,
    /** `repeated`: an earlier call with this `request_id` created the article; this one changed nothing. */
    SavedArticle.extend({ repeated: z.boolean().optional() }),
    BODIES.article,
  ),
  articleEdit: signedIn('write', EditedArticle, EditedAnswer, BODIES.article),
  articleDelete: signedIn('write', byId, notice),
  articleSettings,
  revisionSave: signedIn(
    'write',
    ArticleRevision,
    z.object({ revision_time: z.iso.datetime() }),
    BODIES.article,
  ),
  revisionDelete: signedIn('write', byId, notice),

  trashList: signedIn('read', z.object(ownPaging), listOf(TrashedArticle)),
  trashRestore: signedIn('write', byId, z.object({ id: z.string(), status: z.enum(['normal', 'draft']) })),
  trashPurge: signedIn('write', byId, notice),
  trashEmpty: signedIn(
    'write',
    z.object({ until: absentField(instantField('截止时间').optional()) }),
    z.object({ purged: z.int() }),
  ),

  scheduleSet: signedIn('write', z.object({ id: idField, publish_time: instantField('发布时间') }), Schedule),
  scheduleFind: signedIn('read', byId, z.object({ schedule: Schedule.nullable() })),
  scheduleCancel: signedIn('write', byId, notice),

  versionList: signedIn('read', z.object({ id: idField, ...pagingFields }), listOf(VersionItem)),
  versionFind: signedIn('read', z.object({ id: idField, version: idField }), Version),

  ...commentCalls,
  ...activityCalls,
  ...discoveryCalls,

  tagList: open(
    'read',
    z.object({
      page: pageField,
      pageSize: countField(PAGE_SIZE, BOUNDS.tagPageSize),
      used: absentField(booleanField.optional()).catch(undefined),
    }),
    listOf(Tag),
  ),
  tagDetail: open('read', z.object({ name: someText }), Tag),
  allTags: open('read', nothing, z.array(z.string())),
  tagCreate: signedIn(
    'write',
    z.object({ name: tagField, description: absentField(descriptionField.default('')) }),
    Tag,
  ),

  ...seriesCalls,

  avatar: open('read', z.object({ username: someText }), fileBytes),
  uploadAvatar: signedIn(
    'write',
    z.object({ imgData: z.string({ error: '请选择要上传的图片' }) }),
    z.string(),
    BODIES.dataUrl,
  ),
  uploadImage: signedIn('write', z.object({ file: fileBytes }), z.object({ url: z.string() }), BODIES.file),
  fetchImage: signedIn(
    'write',
    z.object({ url: z.string({ error: '请填写图片地址' }).trim().min(1, '请填写图片地址') }),
    z.object({ url: z.string() }),
  ),
  ...pictureCalls,
  site: open('read', nothing, SiteFacts),
  ...navigationCalls,
  ...staffCalls,
  ...originCalls,
  ...profileCalls,
  ...moderationCalls,
  staffRead,
  ...noticeCalls,
  ...signupCalls,
  ...tagConsoleCalls,
  ...identityCalls,
  statistics: signedIn('read', nothing, z.object({ userNum: z.int(), pageNum: z.int() })),
} as const satisfies Readonly<Record<RouteName, CallSpec>>;

/** Exactly one call per route; missing or extra calls are type errors. */
export type Calls = {
  readonly [N in RouteName]: Call & { method: (typeof routes)[N][0]; path: (typeof routes)[N][1] };
};

export const calls = Object.fromEntries(
  Object.entries(routes).map(([name, [method, path]]) => {
    const spec: CallSpec = specs[name as RouteName];
    return [name, { method, path, ...spec }];
  }),
) as { readonly [N in RouteName]: (typeof specs)[N] & Pick<Calls[N], 'method' | 'path'> };

export type CallName = RouteName;
export type CallInput<N extends CallName> = z.infer<(typeof calls)[N]['input']>;
export type CallOutput<N extends CallName> = z.infer<(typeof calls)[N]['output']>;

/** Cookie that recognises a known browser at sign-in. */
export const DEVICE_COOKIE = 'moye-device';

export const DEVICE_CALLS: readonly string[] = [
  calls.signin.path,
  calls.signup.path,
  calls.signinFinish.path,
  calls.passkeySignin.path,
];
