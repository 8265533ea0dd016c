import { z } from 'zod';
import { refuse } from '../../../../contract/rules/errors.ts';
import { BLOG_ID, XML_RPC_PATHS } from '../../../../contract/rules/paths.ts';
import { feedUrl, tagUrl } from '../../../../shared/urls.ts';
import type { QuotaKind } from '../../../shared/quota-rules.ts';
import { readOwn } from '../own-article.ts';
import {
  editPost,
  listRecent,
  newMediaObject,
  newPost,
  recentPosts,
  setCategories,
  type Session,
} from './post-methods.ts';
import { Post, text, toHead, toPost } from './posts.ts';
import type { ArrivingCall } from './read-call.ts';
import type { RpcValue } from '../../../http/xml-rpc-answer.ts';

interface Opened extends Session {
  readTitle(): Promise<string>;
  /** Counts a large call. Refuses with TOO_MANY_REQUESTS, and as `Quotas.requireSome`. */
  requireSome(kinds: readonly QuotaKind[]): Promise<void>;
}

interface Method {
  /** @param subject the first parameter: the id of the post, or of the blog, which is ignored */
  run(session: Opened, subject: string, rest: readonly unknown[]): Promise<RpcValue>;
}

const id = z.union([text, z.number().transform(String)]);
/** A number; editors also send it as text, and leave it empty. */
const number = z
  .union([
    z.number(),
    z.literal('').transform(() => undefined),
    text.regex(/^\s*[+-]?\d{1,20}\s*$/).transform(Number),
  ])
  .optional();
const flag = z.union([
  z.boolean().optional(),
  number.pipe(
    z
      .literal([0, 1])
      .optional()
      .transform((value) => value === 1),
  ),
]);
const Saved = z.tuple([Post, flag.optional()]).rest(z.unknown());
const Counted = z.tuple([number]).rest(z.unknown());
const bytes = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array);
const Filed = z.tuple([z.object({ name: text, type: text.optional(), bits: bytes })]).rest(z.unknown());
const Categories = z.tuple([z.array(z.object({ categoryId: id }))]).rest(z.unknown());
const Beginning = z.tuple([id, text, text]).rest(z.unknown());

/** @param first number of parameters before those that `schema` describes */
function check<T>(schema: z.ZodType<T>, params: readonly unknown[], first: number): T {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [position, ...members] = issue?.path ?? [];
  const place = typeof position === 'number' ? `第 ${first + position + 1} 个参数` : '参数';
  const member = members.length === 0 ? '' : `的 ${members.map(String).join('.')} `;
  return refuse('FIELD_INVALID', {
    text: `${place}${member}${issue?.code === 'too_big' ? '过长' : '缺少或类型不对'}`,
  });
}

/** Number of parameters before a method's own: subject, user name, password. */
const COMMON = 3;

const method = <T>(
  schema: z.ZodType<T>,
  run: (session: Opened, subject: string, rest: T) => Promise<RpcValue>,
): Method => ({ run: async (session, subject, rest) => run(session, subject, check(schema, rest, COMMON)) });

const plain = (run: (session: Opened, subject: string) => Promise<RpcValue>): Method => ({ run });

const deletePost = plain(async ({ ask }, post) => {
  await ask('articleDelete', { id: post });
  return true;
});

const getUsersBlogs = plain(async ({ origin, readTitle }) => [
  {
    blogid: BLOG_ID,
    blogName: await readTitle(),
    url: `${origin}/`,
    xmlrpc: origin + XML_RPC_PATHS[0],
    isAdmin: false,
  },
]);

const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    'blogger.getUsersBlogs': getUsersBlogs,
    'metaWeblog.getUsersBlogs': getUsersBlogs,
    'blogger.deletePost': deletePost,
    'metaWeblog.deletePost': deletePost,
    'metaWeblog.newPost': method(Saved, (session, _blog, [post, publish = false]) =>
      newPost(session, post, publish),
    ),
    'metaWeblog.editPost': method(Saved, (session, post, [changed, publish = false]) =>
      editPost(session, post, changed, publish),
    ),
    'metaWeblog.getPost': plain(async (session, post) => toPost(await readOwn(session.ask, post), session)),
    'metaWeblog.getRecentPosts': method(Counted, (session, _blog, [wanted]) => recentPosts(session, wanted)),
    'metaWeblog.getCategories': plain(async ({ ask, origin }) =>
      (await ask('allTags')).map((name) => ({
        categoryId: name,
        parentId: '0',
        categoryName: name,
        description: name,
        htmlUrl: origin + tagUrl(name),
        rssUrl: origin + feedUrl({ kind: 'tag', name }, 'rss'),
      })),
    ),
    'metaWeblog.newMediaObject': method(Filed, (session, _blog, [file]) => newMediaObject(session, file)),
    'mt.getRecentPostTitles': method(Counted, async (session, _blog, [wanted]) =>
      (await listRecent(session, wanted)).map((item) => toHead(item, session.username)),
    ),
    'mt.getCategoryList': plain(async ({ ask }) =>
      (await ask('allTags')).map((name) => ({ categoryId: name, categoryName: name })),
    ),
    'mt.getPostCategories': plain(async ({ ask }, post) =>
      (await readOwn(ask, post)).text.tags.map((name, index) => ({
        categoryId: name,
        categoryName: name,
        isPrimary: index === 0,
      })),
    ),
    'mt.setPostCategories': method(Categories, ({ ask }, post, [wanted]) =>
      setCategories(
        ask,
        post,
        wanted.map(({ categoryId }) => categoryId),
      ),
    ),
    'mt.publishPost': plain((session, post) => editPost(session, post, {}, true)),
  }),
);

const listMethods = (): RpcValue => [...METHODS.keys(), ...OPEN_METHODS.keys()];

/** Methods without a token. */
const OPEN_METHODS: ReadonlyMap<string, () => RpcValue> = new Map([
  ['mt.supportedMethods', listMethods],
  ['system.listMethods', listMethods],
  ['mt.supportedTextFilters', (): RpcValue => [{ key: 'markdown', label: 'Markdown' }]],
]);

/** Quotas of which something must be left before the rest of a large call is read. */
const QUOTAS_USED: Readonly<Record<string, readonly QuotaKind[]>> = {
  'metaWeblog.newPost': ['articles', 'storage'],
  'metaWeblog.newMediaObject': ['pictureMs', 'uploads', 'uploadBytes', 'storage'],
};

/**
 * Performs a method call; reads more than its head only for the bearer of a token. Refuses with CALL_UNKNOWN
 * every method that is not listed, among them `system.multicall`, which would multiply guesses, and
 * `pingback.ping`, which would request other sites.
 */
export async function perform(
  arriving: ArrivingCall,
  openSession: (username: string, token: string) => Promise<Opened>,
): Promise<RpcValue> {
  const { method: name, params } = arriving.head;
  const answer = OPEN_METHODS.get(name);
  if (answer) return arriving.isWhole ? answer() : refuse('BODY_TOO_LARGE');
  const known = METHODS.get(name);
  if (!known) return refuse('CALL_UNKNOWN', { text: `不支持方法 ${name.slice(0, 60)}` });
  // Only these methods have an application key first.
  const first = name.endsWith('.deletePost') ? 1 : 0;
  const [subject, username, token] = check(Beginning, params.slice(first), first);
  const session = await openSession(username, token);
  if (!arriving.isWhole) await session.requireSome(QUOTAS_USED[name] ?? []);
  const whole = await arriving.whole(session.username);
  return known.run(session, subject, whole.params.slice(first + COMMON));
}
