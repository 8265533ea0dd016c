import { ObjectId, type Document } from 'bson';
import type {
  ForeignArticle,
  ForeignComment,
  ForeignSite,
  ForeignTag,
  ForeignUser,
  Loss,
  SourceOptions,
} from '../site/foreign-site.ts';
import { decodeAddress } from '../../markdown/decode-address.ts';
import { realLosses } from '../site/losses.ts';
import { openPictures } from '../site/picture-bytes.ts';
import { parse } from './documents.ts';
import { openDump, type Dump } from './dump.ts';
import { idIn, nameIn } from './fields.ts';
import { toArticle, toComment, toTag, toUser } from './map-documents.ts';

const NAMING: Record<string, string[]> = {
  pages: ['create_user'],
  comments: ['create_user', 'reply_user'],
  tags: ['create_user'],
};
const TAKEN = new Set(['users', 'pages', 'comments', 'tags']);
const LEFT: Record<string, string> = {
  activities: '动态没有导入：本站的动态从文章和评论得出',
  todos: '待办没有导入：本站没有对应的内容',
  files: '图片的记录没有导入：文章和头像用到的图片会随它们导入，其余留在 uploads 文件夹里',
};

/** Reads a dump once, to check that it is complete and to find users and losses. @throws Problem */
export async function survey(dump: Dump) {
  const users = new Map<string, string>();
  const named = new Map<string, number>();
  const left = new Map<string, number>();
  for await (const { collection, bytes } of dump.documents(null)) {
    const document = parse(bytes, dump.name);
    if (!TAKEN.has(collection)) left.set(collection, (left.get(collection) ?? 0) + 1);
    const id: unknown = document['_id'];
    if (collection === 'users') users.set(nameIn(document['username']), idIn(id));
    const time = id instanceof ObjectId ? id.getTimestamp().getTime() : Date.now();
    for (const field of NAMING[collection] ?? []) {
      const name = nameIn(document[field]);
      if (name !== '') named.set(name, Math.min(time, named.get(name) ?? Infinity));
    }
  }
  // Names of authors whose users no longer exist, with the time of the first item they wrote.
  const missing = new Map([...named].filter(([name]) => !users.has(name)));
  // Sorted, because the order of the collections may vary.
  const names = [...left].sort(([one], [other]) => (one < other ? -1 : 1));
  return { users, missing, losses: names.map(toLoss) };
}

const toLoss = ([collection, count]: [string, number]): Loss => ({
  what: `集合 ${collection}`,
  why: LEFT[collection] ?? '没有导入：不认识这个集合',
  count,
});

/**
 * Opens the predecessor's site in a dump of its database. Reads the whole dump before anything is imported.
 * @throws Problem if it is incomplete, damaged or not such a dump
 */
export async function openMongo(
  path: string,
  options: Pick<SourceOptions, 'origins' | 'uploads'>,
): Promise<ForeignSite> {
  const dump = await openDump(path);
  const known = await survey(dump);
  const reader = createReader(dump, known);
  const readPicture = openPictures(options.uploads);
  return {
    product: 'MongoDB',
    // Ids are globally unique, so any later dump of the site counts as the same source.
    identity: 'Blog',
    origins: options.origins,
    hasOurPaths: true,
    ...reader,
    series: () => [],
    picture: (address) => readPicture([nameOfPicture(address)]),
    close: async () => undefined,
  };
}

function nameOfPicture(address: string): string {
  const path = URL.parse(address, 'http://site.invalid')?.pathname ?? '';
  const [, encoded = ''] = /^\/(?:api\/file\/)?([^/]+)$/.exec(path) ?? [];
  return decodeAddress(encoded);
}

function createReader(dump: Dump, { users, missing, losses }: Awaited<ReturnType<typeof survey>>) {
  const deleted: Loss = { what: '已删除的文章', why: '没有导入', count: 0 };
  const bound: Loss = { what: '第三方登录的绑定', why: '没有导入，用户改用密码登录', count: 0 };
  const keyOf = (name: string): string => users.get(name) || `name:${name}`;

  async function* each(collection: string): AsyncGenerator<Document> {
    for await (const { bytes } of dump.documents(collection)) yield parse(bytes, dump.name);
  }

  return {
    async *users(): AsyncGenerator<ForeignUser> {
      bound.count = 0;
      for await (const document of each('users')) {
        if (Array.isArray(document['oauthinfo']) && document['oauthinfo'].length > 0) bound.count++;
        yield toUser(document, keyOf);
      }
      for (const [username, created] of missing) yield { key: keyOf(username), username, created };
    },
    async *tags(): AsyncGenerator<ForeignTag> {
      for await (const document of each('tags')) yield toTag(document, keyOf);
    },
    async *articles(): AsyncGenerator<ForeignArticle> {
      deleted.count = 0;
      for await (const document of each('pages')) {
        if (document['status'] === 'cancel') deleted.count++;
        else yield toArticle(document, keyOf);
      }
    },
    async *comments(): AsyncGenerator<ForeignComment> {
      for await (const document of each('comments')) yield toComment(document, keyOf);
    },
    losses: (): readonly Loss[] => [...losses, ...realLosses([deleted, bound])],
  };
}
