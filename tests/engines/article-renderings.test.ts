import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clean, unlisted } from '../clean-texts.ts';
import { refusal } from '../../src/lib/contract/rules/errors.ts';
import type { Rendered } from '../../src/lib/markdown/render.ts';
import { RENDERER_VERSION } from '../../src/lib/markdown/version.ts';
import {
  createArticleService,
  type ArticleService,
} from '../../src/lib/server/articles/core/article-service.ts';
import { createApplyVisibility } from '../../src/lib/server/articles/core/apply-visibility.ts';
import { createRevisionService } from '../../src/lib/server/articles/history/revision-service.ts';
import { createVersionService } from '../../src/lib/server/articles/history/version-service.ts';
import { createEvents } from '../../src/lib/server/db/events.ts';
import type { Judgement } from '../../src/lib/server/moderation/moderation-service.ts';
import { createQuotas } from '../../src/lib/server/quotas/quota-service.ts';
import { createTagService } from '../../src/lib/server/tags/tag-service.ts';
import { openSearchStage, type SearchStage } from './search-fixture.ts';
import { fakes } from '../fakes.ts';

const AUTHOR = { id: 'a'.repeat(24), username: '甲', signinId: '', origin: '' };
const FIELDS = { title: '题', content: '空山新雨后', tags: ['诗'], type: '', secret: false };
const REFUSED = refusal('CONTENT_TOO_COMPLEX');

let stage: SearchStage;
let articles: ArticleService;
let revisions: ReturnType<typeof createRevisionService>;
/** Arguments of each render as `owner: source`, and the renderer's behaviour. */
let asked: string[];
let render: (source: string) => Promise<Rendered>;

const layOut = async (source: string): Promise<Rendered> => ({
  html: `<p>${source}</p>`,
  toc: [{ level: 1, no: 1, text: source, slug: source }],
  summary: source,
  attributes: '',
  text: source,
  words: source.length,
});
const never = () => new Promise<Rendered>(() => undefined);
const refuseAll = () => Promise.reject(REFUSED);

beforeAll(async () => {
  stage = await openSearchStage();
  const { db } = stage;
  const events = createEvents(db, (error) => {
    throw error;
  });
  const now = () => Date.now();
  const quotas = createQuotas({ db, limits: null, timeZone: 'Asia/Shanghai', now });
  const versions = createVersionService({ db, quotas, now });
  const tags = createTagService({ db, events, quotas, texts: unlisted, now });
  const { moderation, ...others } = fakes({
    audit: {},
    log: {},
    notices: { notify: async () => undefined },
    origins: { note: async () => undefined },
    moderation: {
      submitChange: async () => undefined,
      amendChange: async () => false,
      dropChange: async () => undefined,
      judgeArticle: async ({ content }) => {
        const judgement = { reasons: [], words: [], source: clean(content), mustReview: false };
        return { ...judgement, remember: async () => undefined } as Partial<Judgement> as Judgement;
      },
      settle: async () => 'shown' as const,
    },
  });
  revisions = createRevisionService({ db, quotas, versions, moderation, now });
  articles = createArticleService({
    db,
    renderer: {
      render(source, owner) {
        asked.push(`${owner === AUTHOR.id ? '甲' : owner}: ${source}`);
        return render(source);
      },
      close: async () => undefined,
    },
    search: stage.index,
    tags,
    revisions,
    versions,
    quotas,
    applyVisibility: createApplyVisibility({
      search: stage.index,
      tags,
      outbox: { add: async () => undefined },
      events,
      ...others,
    }),
    moderation,
    ...others,
    timeZone: 'Asia/Shanghai',
    events,
    now,
  });
});
beforeEach(() => {
  asked = [];
  render = layOut;
});
afterAll(() => stage?.close());

const write = async (status: 'normal' | 'draft', content = FIELDS.content) =>
  (await articles.create({ ...FIELDS, content, status }, AUTHOR)).id;
const edit = (id: string, status: 'normal' | 'draft', content: string) =>
  articles.edit({ ...FIELDS, id, status, content }, AUTHOR);
const page = (id: string) => articles.find(id, AUTHOR);
const source = async (id: string) => (await articles.readSource(id, AUTHOR)).content;

/** Replaces the article's stored HTML by HTML that an earlier release rendered. */
async function age(id: string, html: string, renderer_version = RENDERER_VERSION - 1): Promise<void> {
  await stage.db.write(async (trx) => {
    const former = { html: Buffer.from(html), renderer_version };
    await trx.updateTable('article_bodies').set(former).where('article_id', '=', id).execute();
  });
}

describe('a draft is saved before it is rendered', () => {
  test('even when the renderer does not respond: new, changed, withdrawn, and as a revision', async () => {
    const published = await write('normal');
    const withdrawn = await write('normal');
    render = never;
    const id = await write('draft', '初稿');
    await edit(id, 'draft', '二稿');
    await edit(withdrawn, 'draft', '收回');
    await revisions.save({ ...FIELDS, id: published, content: '修订' }, AUTHOR);
    expect(await Promise.all([id, withdrawn].map(source))).toEqual(['二稿', '收回']);
    expect((await articles.readSource(published, AUTHOR)).revision?.content).toBe('修订');
    expect(asked).toEqual(['甲: 空山新雨后', '甲: 空山新雨后']);
  });

  test('and rendered once, when its author first reads it', async () => {
    const id = await write('draft');
    await edit(id, 'draft', '二稿');
    expect(await page(id)).toMatchObject({ html: '<p>二稿</p>', words: 2, isTooComplex: false });
    expect(await page(id)).toMatchObject({ html: '<p>二稿</p>', summary: '二稿', isTooComplex: false });
    expect(JSON.parse((await page(id))?.toc ?? '')).toEqual([
      { level: 1, no: 1, text: '二稿', slug: '二稿' },
    ]);
    expect(asked).toEqual(['甲: 二稿']);
    expect(await articles.find(id, { id: 'b'.repeat(24) })).toBeNull();
    expect(await articles.find(id, null)).toBeNull();
  });

  test('an outdated rendering is shown but not stored', async () => {
    const id = await write('draft', '旧');
    const { promise, resolve } = Promise.withResolvers<Rendered>();
    render = () => promise;
    const reading = page(id);
    await expect.poll(() => asked).toEqual(['甲: 旧']);
    await edit(id, 'draft', '新');
    resolve(await layOut('旧'));
    expect(await reading).toMatchObject({ html: '<p>旧</p>' });
    render = layOut;
    expect(await page(id)).toMatchObject({ html: '<p>新</p>' });
  });

  test('one that cannot be rendered is kept, says so, and is retried only when changed', async () => {
    const id = await write('draft', '难');
    render = refuseAll;
    expect(await page(id)).toMatchObject({ html: '', toc: '[]', isTooComplex: true });
    expect(await page(id)).toMatchObject({ html: '', isTooComplex: true });
    expect(asked).toEqual(['甲: 难']);
    expect(await source(id)).toBe('难');
    render = layOut;
    await edit(id, 'draft', '不难');
    expect(await page(id)).toMatchObject({ html: '<p>不难</p>', isTooComplex: false });
  });

  test('one refused by a full queue is rendered later', async () => {
    const id = await write('draft', '挤');
    render = () => Promise.reject(refusal('UNAVAILABLE', { retryAfter: 5 }));
    await expect(page(id)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 });
    render = () => Promise.reject(refusal('CONTENT_TOO_COMPLEX', { retryAfter: 30 }));
    expect(await page(id)).toMatchObject({ isTooComplex: true });
    render = layOut;
    expect(await page(id)).toMatchObject({ html: '<p>挤</p>', isTooComplex: false });
  });

  test('publishing waits for rendering, and a refusal changes nothing', async () => {
    const id = await write('draft', '初稿');
    render = refuseAll;
    await expect(edit(id, 'normal', '难')).rejects.toBe(REFUSED);
    expect(await source(id)).toBe('初稿');
    render = layOut;
    await edit(id, 'normal', '定稿');
    expect(await articles.find(id, null)).toMatchObject({ html: '<p>定稿</p>' });
  });
});

describe('output of an older renderer', () => {
  test('is rendered again on the site’s account, except unread drafts', async () => {
    const id = await write('normal', '旧法');
    await write('draft', '未读');
    await age(id, '<i>旧</i>');
    asked = [];
    expect(await articles.rerenderOutdated(() => false)).toBe(1);
    expect(asked).toEqual(['site: 旧法']);
    expect(await page(id)).toMatchObject({ html: '<p>旧法</p>' });
  });

  test('stays when the renderer now refuses the text, and is not retried', async () => {
    const id = await write('normal', '今难');
    await age(id, '<p>旧时已排</p>');
    render = refuseAll;
    expect(await articles.rerenderOutdated(() => false)).toBe(1);
    expect(await articles.find(id, null)).toMatchObject({ html: '<p>旧时已排</p>', summary: '今难' });
    expect(await articles.rerenderOutdated(() => false)).toBe(0);
  });

  test('stays until the machine has time to render it', async () => {
    const id = await write('normal', '正忙');
    await age(id, '<p>旧时已排</p>');
    render = () => Promise.reject(refusal('CONTENT_TOO_COMPLEX', { retryAfter: 30 }));
    expect(await articles.rerenderOutdated(() => false)).toBe(0);
    expect(await articles.find(id, null)).toMatchObject({ html: '<p>旧时已排</p>' });
    render = layOut;
    expect(await articles.rerenderOutdated(() => false)).toBe(1);
    expect(await articles.find(id, null)).toMatchObject({ html: '<p>正忙</p>' });
  });

  test.each([
    ['is too large for a page', `<p>${'大'.repeat(500_001)}</p>`, RENDERER_VERSION - 1],
    ['a former release has emptied', '', 0],
  ])('and %s gives way to the text as it was typed', async (_, html, version) => {
    const id = await write('normal', '# 题 <b>\n\n二\n三');
    await age(id, html, version);
    render = refuseAll;
    expect(await articles.rerenderOutdated(() => false)).toBe(1);
    const shown = await articles.find(id, null);
    expect(shown?.html).toContain('此处按原文显示');
    expect(shown?.html).toContain('<p># 题 &lt;b&gt;</p>\n<p>二<br>三</p>');
    expect(shown).toMatchObject({ toc: '[]', isTooComplex: false });
    expect(await articles.rerenderOutdated(() => false)).toBe(0);
  });
});
