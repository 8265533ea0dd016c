import { ObjectId } from 'bson';
import type { Loss } from '../site/foreign-site.ts';
import { parse } from './documents.ts';
import type { Dump } from './dump.ts';
import { idIn, nameIn } from './fields.ts';

export interface Survey {
  users: Map<string, string>;
  /** Names of authors whose users no longer exist, with the time of the first item they wrote. */
  missing: Map<string, number>;
  losses: Loss[];
}

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
export async function survey(dump: Dump): Promise<Survey> {
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
