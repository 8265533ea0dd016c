import { z } from 'zod';
import {
  Article,
  ArticleListItem,
  type ArticleStatus,
  Comment,
  listOf,
  Tag,
  TokenPair,
  User,
  UserInfo,
} from './entities.ts';
import {
  absentField,
  bioField,
  booleanField,
  BOUNDS,
  commentField,
  contentField,
  countField,
  descriptionField,
  draftContentField,
  draftTitleField,
  genderField,
  idField,
  isAbsent,
  keywordsField,
  listField,
  PAGE_SIZE,
  passwordField,
  quoteField,
  statusField,
  tagField,
  titleField,
  typeField,
  usernameField,
} from './fields.ts';

/** One call of the wire contract: where it is, who may ask, what goes in and what comes out. */
export interface Call<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: `/api/${string}`;
  /** Whether an unusable token is refused (A in CONTRACT.md) or means "visitor". */
  readonly auth: 'required' | 'optional';
  /** Writes are limited more strictly. */
  readonly kind: 'read' | 'write';
  readonly input: Input;
  readonly output: Output;
}

/** A call open to visitors. */
const open = <I extends z.ZodType, O extends z.ZodType>(
  kind: Call['kind'],
  method: Call['method'],
  path: Call['path'],
  input: I,
  output: O,
): Call<I, O> & { auth: 'optional' } => ({ method, path, auth: 'optional', kind, input, output });
/** A call for whoever has signed in. */
const signedIn = <I extends z.ZodType, O extends z.ZodType>(
  kind: Call['kind'],
  method: Call['method'],
  path: Call['path'],
  input: I,
  output: O,
): Call<I, O> & { auth: 'required' } => ({ method, path, auth: 'required', kind, input, output });

const nothing = z.object({});
const notice = z.string();
const page = countField(1, Number.MAX_SAFE_INTEGER);
const paging = { page, pageSize: countField(PAGE_SIZE, BOUNDS.pageSize) };
const ownPaging = { page, pageSize: countField(PAGE_SIZE, BOUNDS.ownPageSize) };
const someText = z.string().catch('');

/** Old clients name the list `tags[]`, `tags`, `tag[]` or `tag`. */
function acceptTagAlias(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { tag, tags, ...rest } = body as Record<string, unknown>;
  return { ...rest, tags: isAbsent(tags) ? tag : tags };
}

const tagNames = listField(tagField, '标签')
  .transform((names) => [...new Set(names)])
  .refine((names) => names.length <= BOUNDS.tags[1], { error: '标签不能超过 10 个' });

const articleFields = {
  title: draftTitleField.default(''),
  content: draftContentField.default(''),
  tags: tagNames,
  status: absentField(
    z.enum(['normal', 'draft'], { error: '文章状态只能是 normal 或 draft' }).default('normal'),
  ),
  secret: absentField(booleanField.default(false)),
  type: absentField(typeField.default('')),
};
type ArticleFields = Omit<z.infer<z.ZodObject<typeof articleFields>>, 'status'> & { status: ArticleStatus };

/** A draft needs a title or content; what is published needs title, content and a tag. */
function checkArticle(fields: ArticleFields, context: z.RefinementCtx): void {
  const report = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (fields.status === 'cancel') return;
  if (fields.status === 'draft') {
    if (fields.title === '' && fields.content === '') report('title', '草稿至少要有标题或正文');
    return;
  }
  const title = titleField.safeParse(fields.title);
  if (!title.success) report('title', title.error.issues[0]?.message ?? '');
  const content = contentField.safeParse(fields.content);
  if (!content.success) report('content', content.error.issues[0]?.message ?? '');
  if (fields.tags.length === 0) report('tags', '请至少填写 1 个标签');
}

export const NewArticle = z.preprocess(acceptTagAlias, z.object(articleFields).superRefine(checkArticle));
export type NewArticle = z.infer<typeof NewArticle>;

export const EditedArticle = z.preprocess(
  acceptTagAlias,
  z
    .object({
      id: idField,
      ...articleFields,
      // `cancel` is how old clients delete through this call.
      status: absentField(statusField.default('normal')),
      update_time: absentField(z.iso.datetime({ error: '更新时间格式不正确' }).optional()),
    })
    .superRefine(checkArticle),
);
export type EditedArticle = z.infer<typeof EditedArticle>;

const sort = z.enum(['create_time', 'update_time']).catch('create_time');
const gender = absentField(genderField.default('x'));

export const calls = {
  signup: open(
    'write',
    'POST',
    '/api/signup',
    z
      .object({
        username: usernameField,
        password: passwordField,
        repassword: z.string({ error: '请再次填写密码' }),
        gender,
        bio: absentField(bioField.default('')),
      })
      .refine((body) => body.password === body.repassword, {
        path: ['repassword'],
        error: '两次填写的密码不一致',
      })
      .transform(({ username, password, gender, bio }) => ({ username, password, gender, bio })),
    TokenPair,
  ),
  signin: open(
    'write',
    'POST',
    '/api/signin',
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
  refreshToken: open('read', 'GET', '/api/signin/refreshToken', nothing, TokenPair),
  signout: open('write', 'POST', '/api/signout', nothing, notice),
  getUserInfo: open('read', 'POST', '/api/signin/getUserInfo', z.object({ username: someText }), UserInfo),
  userDetail: open('read', 'POST', '/api/user/detail', z.object({ username: someText }), User),
  updateBio: signedIn('write', 'POST', '/api/user/updatebio', z.object({ bio: bioField }), notice),

  pageList: open(
    'read',
    'POST',
    '/api/page/pagelist',
    z.object({ type: z.enum(['', 'tag', 'create_user']).catch(''), content: someText, sort, ...paging }),
    listOf(ArticleListItem),
  ),
  searchPage: open(
    'read',
    'POST',
    '/api/page/searchpage',
    z.object({ keywords: keywordsField.default(''), ...paging }),
    listOf(ArticleListItem),
  ),
  pageDetail: open('read', 'POST', '/api/page/detail', z.object({ id: idField }), Article),
  pageEditDetail: signedIn('read', 'POST', '/api/page/editdetail', z.object({ id: idField }), Article),
  limitPageList: signedIn(
    'read',
    'POST',
    '/api/page/limitpagelist',
    z.object({
      type: z.literal('create_user').catch('create_user'),
      content: someText,
      status: z.enum(['normal', 'draft']).catch('normal'),
      secret: absentField(booleanField.optional()).catch(undefined),
      sort,
      ...ownPaging,
    }),
    listOf(ArticleListItem),
  ),
  pageNew: signedIn(
    'write',
    'POST',
    '/api/page/new',
    NewArticle,
    z.object({ id: z.string(), page_num: z.int(), draft_num: z.int() }),
  ),
  pageEdit: signedIn(
    'write',
    'POST',
    '/api/page/edit',
    EditedArticle,
    z.object({ id: z.string(), page_num: z.int(), draft_num: z.int(), update_time: z.iso.datetime() }),
  ),
  pageDelete: signedIn('write', 'POST', '/api/page/delete', z.object({ id: idField }), notice),

  pageComments: open(
    'read',
    'POST',
    '/api/comment/getpagecommentlist',
    z.object({ page_id: idField }),
    z.array(Comment),
  ),
  commentCreate: signedIn(
    'write',
    'POST',
    '/api/comment/create',
    z.object({
      content: commentField,
      page_id: idField,
      reply_user: z.string({ error: '被回复的用户应为文本' }).trim().default(''),
      reply_content: absentField(quoteField.default('')),
      request_id: absentField(
        z.string({ error: '请求编号应为文本' }).trim().max(100, '请求编号不能超过 100 个字符').default(''),
      ),
    }),
    Comment,
  ),
  userComments: signedIn(
    'read',
    'POST',
    '/api/comment/getusercommentlist',
    z.object({ type: z.enum(['to_user', 'create_user']).catch('to_user'), ...paging }),
    listOf(Comment),
  ),
  readComments: signedIn(
    'read',
    'POST',
    '/api/comment/updatecommentstatus',
    z.object({
      ids: listField(idField, '评论编号').refine((ids) => ids.length > 0, { error: '请提供评论编号' }),
    }),
    notice,
  ),
  unreadNum: signedIn('read', 'GET', '/api/comment/getUnreadCommentNum', nothing, z.int()),
  commentDelete: signedIn('write', 'POST', '/api/comment/delete', z.object({ id: idField }), notice),

  tagList: open('read', 'POST', '/api/tag/taglist', z.object(paging), listOf(Tag)),
  tagDetail: open('read', 'POST', '/api/tag/tagdetail', z.object({ name: someText }), Tag),
  allTags: open('read', 'POST', '/api/tag/alltags', nothing, z.array(z.string())),
  tagCreate: signedIn(
    'write',
    'POST',
    '/api/tag/create',
    z.object({ name: tagField, description: absentField(descriptionField.default('')) }),
    Tag,
  ),

  avatar: open(
    'read',
    'GET',
    '/api/file/avatar/user',
    z.object({ username: someText }),
    z.instanceof(Uint8Array),
  ),
  uploadAvatar: signedIn(
    'write',
    'POST',
    '/api/file/uploadAvatar',
    z.object({ imgData: z.string({ error: '请选择要上传的图片' }) }),
    z.string(),
  ),
  uploadImage: signedIn('write', 'POST', '/api/file/uploadImage', nothing, z.object({ url: z.string() })),
  statistics: signedIn(
    'read',
    'POST',
    '/api/statistics',
    nothing,
    z.object({ userNum: z.int(), pageNum: z.int() }),
  ),
} as const satisfies Record<string, Call>;

export type CallName = keyof typeof calls;
export type CallInput<N extends CallName> = z.infer<(typeof calls)[N]['input']>;
export type CallOutput<N extends CallName> = z.infer<(typeof calls)[N]['output']>;
