import { refuse } from '../../../../contract/rules/errors.ts';
import type { Ask } from '../ask.ts';
import { readOwn, saveOwn, scheduledTime } from '../own-article.ts';
import { planChange, planNew } from './post-dates.ts';
import { isForReaders, toChanges, toPost, type Post } from './posts.ts';
import type { RpcValue } from '../../../http/xml-rpc-answer.ts';

export interface Session {
  ask: Ask;
  username: string;
  origin: string;
  timeZone: string;
}

const DEFAULT_POSTS = 10;
const MAX_POSTS = 50;
/** Characters of the texts in one answer, beyond which it has fewer posts. */
const MAX_LISTED_CHARACTERS = 2_000_000;

/** The caller's newest articles and drafts, without their texts. */
export async function listRecent({ ask, username }: Session, wanted = DEFAULT_POSTS) {
  const pageSize = Math.min(Math.max(Math.trunc(wanted), 1), MAX_POSTS);
  const listOf = async (status: string) =>
    (await ask('ownArticleList', { content: username, status, pageSize })).result;
  return [...(await listOf('normal')), ...(await listOf('draft'))]
    .toSorted((one, other) => other.create_time.localeCompare(one.create_time))
    .slice(0, pageSize)
    .map(({ schedule, ...item }) => ({ ...item, scheduled: scheduledTime(schedule) }));
}

export async function recentPosts(session: Session, wanted: number | undefined): Promise<RpcValue> {
  const posts: RpcValue[] = [];
  let characters = 0;
  for (const { _id } of await listRecent(session, wanted)) {
    const own = await readOwn(session.ask, _id);
    characters += own.text.content.length;
    if (posts.length > 0 && characters > MAX_LISTED_CHARACTERS) break;
    posts.push(toPost(own, session));
  }
  return posts;
}

export async function newPost(session: Session, post: Post, publish: boolean): Promise<string> {
  const { ask, origin, timeZone } = session;
  const { publishes, publish_time, scheduled } = planNew(post, isForReaders(post, publish), timeZone);
  const status = publishes ? 'normal' : 'draft';
  const { id } = await ask('articleCreate', { ...toChanges(post, origin), status, publish_time });
  if (scheduled === undefined) return id;
  try {
    await ask('scheduleSet', { id, publish_time: scheduled });
  } catch (error) {
    // The editor has no id of the draft and would send it again.
    await ask('articleDelete', { id });
    throw error;
  }
  return id;
}

export async function editPost(session: Session, id: string, post: Post, publish: boolean): Promise<true> {
  const { ask, origin, timeZone } = session;
  const own = await readOwn(ask, id);
  const { scheduled, ...plan } = planChange(own, post, isForReaders(post, publish), timeZone);
  await saveOwn(ask, own, toChanges(post, origin), plan);
  if (scheduled !== undefined) await ask('scheduleSet', { id, publish_time: scheduled });
  return true;
}

export async function setCategories(ask: Ask, id: string, wanted: readonly string[]): Promise<true> {
  const { revision, tags } = await ask('articleSource', { id });
  const former = new Set([...tags, ...(revision?.tags ?? [])]);
  const { results } = await ask('articleSettings', {
    ids: [id],
    tags_add: wanted,
    tags_remove: [...former.difference(new Set(wanted))],
  });
  const refused = results.find(({ outcome }) => outcome === 'refused');
  if (refused) refuse('FIELD_INVALID', { text: refused.problem ?? '没能修改分类' });
  return true;
}

export async function newMediaObject(
  { ask }: Session,
  { name, type, bits }: { name: string; type?: string | undefined; bits: Uint8Array<ArrayBuffer> },
): Promise<RpcValue> {
  const form = new FormData();
  form.append('file', new Blob([bits]), name);
  const { url } = await ask('uploadImage', form);
  const file = url.slice(url.lastIndexOf('/') + 1);
  return { id: file, file, url, type: type ?? '' };
}
