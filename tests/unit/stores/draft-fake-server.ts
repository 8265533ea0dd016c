import { CallError } from '../../../src/lib/client/call-error.ts';
import type { DraftFields } from '../../../src/lib/client/journal/journal-entry.ts';
import { calls } from '../../../src/lib/contract/calls/calls.ts';
import type { ArticleSource } from '../../../src/lib/contract/entities.ts';
import { REFUSALS } from '../../../src/lib/contract/rules/errors.ts';

/**
 * Conditions for calls. `down`: they never arrive. `lost`: they arrive, but the response is lost. `stuck`:
 * they arrive when `release` is called. `signed-out` and `old` (without our additions to the contract): the
 * server responds accordingly. `crowded`: it refuses to publish.
 */
export type Weather = 'fine' | 'down' | 'lost' | 'stuck' | 'signed-out' | 'old' | 'crowded';

/** The server's side of the contract as far as drafts use it, checked by the contract's schemas. */
export interface FakeServer {
  weather: Weather;
  articles: Map<string, ArticleSource & { isDeleted?: boolean }>;
  /** Every received call, in order. */
  received: string[];
  call(user: string, name: string, fields: Record<string, unknown>): Promise<unknown>;
  release(): void;
  /** Another device saves the article. */
  editElsewhere(id: string, fields: Partial<DraftFields>, status?: 'draft' | 'normal'): void;
  /** Another device saves an unpublished revision. */
  reviseElsewhere(id: string, fields: Partial<DraftFields>): void;
  /** The only article. */
  only(): ArticleSource;
}

const refuse = (text: string, status = 200) => new CallError('refused', text, status);
const changed = () => refuse(REFUSALS.ARTICLE_CHANGED.text);

export function createFakeServer(now: () => number): FakeServer {
  const requests = new Map<string, string>();
  let waiting: (() => void)[] = [];
  let ticks = 0;
  // Every save has a different time.
  const instant = () => new Date(now() + ++ticks).toISOString();
  const find = (id: string) => {
    const article = server.articles.get(id);
    if (!article || article.isDeleted) throw refuse(REFUSALS.ARTICLE_NOT_FOUND.text);
    return article;
  };
  const latestOf = (article: ArticleSource) => article.revision?.revision_time ?? article.update_time;

  const answers: Record<string, (fields: never, user: string) => unknown> = {
    articleSource: ({ id }: { id: string }) => structuredClone(find(id)),
    articleCreate(
      { request_id, ...fields }: DraftFields & { request_id: string; status: 'draft' },
      user: string,
    ) {
      const former = requests.get(`${user} ${request_id}`);
      const times = (id: string) => ({ id, update_time: server.articles.get(id)?.update_time });
      if (former !== undefined) return { ...times(former), repeated: true };
      const id = (server.articles.size + 1).toString(16).padStart(24, '0');
      requests.set(`${user} ${request_id}`, id);
      const time = instant();
      const article = { _id: id, create_user: user, create_time: time, update_time: time, type: '' };
      server.articles.set(id, { ...article, ...fields });
      return { ...times(id), repeated: false };
    },
    articleEdit({ id, update_time, revision_time, ...fields }: EditInput) {
      const article = find(id);
      if (update_time !== undefined && update_time !== article.update_time) throw changed();
      if (revision_time !== undefined && revision_time !== latestOf(article)) throw changed();
      if (revision_time !== undefined) delete article.revision;
      Object.assign(article, fields, { update_time: instant() });
      return { id, update_time: article.update_time };
    },
    revisionSave({ id, update_time, revision_time, ...fields }: EditInput) {
      const article = find(id);
      if (update_time !== article.update_time || revision_time !== latestOf(article)) throw changed();
      article.revision = { ...fields, revision_time: instant(), base_time: article.update_time };
      return { revision_time: article.revision.revision_time };
    },
    articleDelete: ({ id }: { id: string }) => void Object.assign(find(id), { isDeleted: true }),
  };
  const isAddition = (name: string) => name === 'revisionSave';

  function answer(user: string, name: string, fields: Record<string, unknown>): unknown {
    if (server.weather === 'signed-out') throw new CallError('signed-out', '请重新登录', 402);
    if (server.weather === 'old' && isAddition(name)) throw refuse('接口不存在', 404);
    if (server.weather === 'crowded' && fields['status'] === 'normal')
      throw refuse('等待排版的文章太多，请稍后再试', 503);
    const parsed = calls[name as 'articleCreate'].input.safeParse(fields);
    if (!parsed.success) throw refuse(parsed.error.issues[0]?.message ?? '');
    server.received.push(name);
    return answers[name]?.(parsed.data as never, user);
  }

  const server: FakeServer = {
    weather: 'fine',
    articles: new Map(),
    received: [],
    async call(user, name, fields) {
      const nobody = new CallError('unreachable', '网络不通，请检查网络后再试');
      if (server.weather === 'down') throw nobody;
      if (server.weather === 'stuck') await new Promise<void>((resolve) => waiting.push(resolve));
      // Calls arrive asynchronously, and not necessarily in order.
      else await Promise.resolve();
      const isLost = server.weather === 'lost';
      const data = structuredClone(answer(user, name, fields));
      if (isLost) throw nobody;
      return data;
    },
    release() {
      const released = waiting;
      waiting = [];
      for (const go of released) go();
    },
    editElsewhere(id, fields, status) {
      Object.assign(find(id), fields, status ? { status } : {}, { update_time: instant() });
    },
    reviseElsewhere(id, fields) {
      const { title, content, tags, secret, update_time } = find(id);
      const typed = { title, content, tags, secret, ...fields };
      find(id).revision = { ...typed, revision_time: instant(), base_time: update_time };
    },
    only() {
      const articles = [...server.articles.values()].filter(({ isDeleted }) => !isDeleted);
      if (articles.length !== 1) throw new Error(`expected one article, found ${articles.length}`);
      return articles[0] as ArticleSource;
    },
  };
  return server;
}

type EditInput = DraftFields & { id: string; update_time?: string; revision_time?: string };
