import { createHash } from 'node:crypto';
import { BOUNDS, countCharacters } from '../../contract/rules/bounds.ts';
import { isRefusal, isTemporary } from '../../contract/rules/errors.ts';
import { takeData } from '../../markdown-file/data-pictures.ts';
import { droppedTags } from '../../markdown-file/dropped-tags.ts';
import { hideParts } from '../../markdown-file/hidden-parts.ts';
import { withoutTocMarks } from '../../markdown-file/toc-marks.ts';
import type { ImportedArticle, Saved } from '../../server/articles/import/import-service.ts';
import type { PlannedPage } from '../../server/articles/pages/import-pages.ts';
import type { Written, Person } from '../../server/articles/import/site-import-service.ts';
import { explain } from '../../server/operations/explain.ts';
import { atOnce } from '../folder/at-once.ts';
import { batchesOf } from '../../shared/batches.ts';
import { personOf } from './import-people.ts';
import type { ForeignArticle } from './foreign-site.ts';
import { coverOf, relinkForeign } from './site-relink.ts';
import { fitText, isStopped, isStoppedNow, nameOf, note, tally, type SiteRun } from './site-run.ts';

const ARTICLE_BATCH_SIZE = 200;
const MAX_TITLE_CHARACTERS = 30;
const MAX_TYPE_CHARACTERS = 30;
const UNTAGGED = '未分类';

type Fields = ImportedArticle['fields'];

/**
 * Assigns ids and records former addresses of all articles before any is written; returns the number of
 * articles. Articles that cannot be imported are reported and get no record.
 */
export async function planArticles(run: SiteRun): Promise<number> {
  let total = 0;
  const pages: ForeignArticle[] = [];
  for await (const batch of batchesOf(run.site.articles(), ARTICLE_BATCH_SIZE)) {
    await plan(run, batch);
    for (const article of batch) if (article.page) pages.push({ ...article, content: '' });
    total += batch.length;
    run.options.onProgress?.('read', total, null);
    if (await isStoppedNow(run)) break;
  }
  await planPages(run, pages);
  return total;
}

async function planPages(run: SiteRun, pages: readonly ForeignArticle[]): Promise<void> {
  const idOf = (key = ''): string => run.records.get(key)?.articleId ?? key;
  const known = pages.flatMap((article) => {
    const { key, title, slug, page, formerPaths: formerAddresses } = article;
    const record = run.records.get(key);
    if (!record) return [];
    const placed = { id: record.articleId, parent: idOf(page?.parent), order: page?.order };
    return [{ article, ...placed, title, slug, formerAddresses, isNew: record.articleHash === '' }];
  });
  run.pages = await run.store.planPages(known);
  for (const { article, id } of known) {
    const planned = run.pages.get(id);
    for (const warning of planned?.warnings ?? []) note(run, nameOf(article), warning);
    if (!planned) note(run, nameOf(article), '以前导入成了私密文章，仍是文章，没有变成页面');
  }
}

async function plan(run: SiteRun, batch: readonly ForeignArticle[]): Promise<void> {
  const ready: { article: ForeignArticle; ownerId: string }[] = [];
  for (const article of batch) {
    const owner = await personOf(run, article.author);
    if (!owner) fail(run, article, '来源里没有它的作者');
    else if (countCharacters(takeData(article.content).text) > BOUNDS.content[1])
      fail(run, article, `正文超过 ${BOUNDS.content[1]} 个字符`);
    else ready.push({ article, ownerId: owner.id });
  }
  const planned = ready.map(({ article: { key, id }, ownerId }) => ({ key, id, ownerId }));
  const records = await run.store.plan(planned);
  for (const { article } of ready) {
    const record = records.get(article.key);
    if (!record) continue;
    run.records.set(article.key, record);
    run.addresses.add(article.formerPaths, record.articleId);
    if (article.id !== undefined && article.id !== record.articleId)
      note(run, nameOf(article), '编号已被占用，换了新的编号');
  }
}

function fail(run: SiteRun, article: ForeignArticle, why: string): void {
  note(run, nameOf(article), `没有导入：${why}`);
  run.report.articles.failed++;
}

export async function importArticles(run: SiteRun, total: number): Promise<void> {
  let done = 0;
  const articles = each(run);
  const work = async (): Promise<void> => {
    for await (const article of articles) {
      await take(run, article);
      run.options.onProgress?.('articles', ++done, total);
    }
  };
  await atOnce(work);
}

/** Several workers share this iterator; the first that is stopped ends it for all. */
async function* each(run: SiteRun): AsyncGenerator<ForeignArticle> {
  for await (const article of run.site.articles()) {
    if (await isStoppedNow(run)) return;
    yield article;
  }
}

/** Imports one article. Reports errors that concern only this article; throws others. */
async function take(run: SiteRun, article: ForeignArticle): Promise<void> {
  const [owner, record] = [await personOf(run, article.author), run.records.get(article.key)];
  if (!owner || !record) return;
  try {
    const page = run.pages.get(record.articleId);
    const { fields, warnings } = await prepare(run, article, owner, page);
    for (const warning of warnings) note(run, nameOf(article), warning);
    const saved = await save(run, article, owner, fields);
    if (saved === 'created' && page) run.report.pages++;
    if (saved === 'created' || saved === 'updated' || saved === 'unchanged') run.report.articles[saved]++;
    else {
      note(run, nameOf(article), OBSTACLES[saved]);
      run.report.articles.skipped++;
    }
  } catch (error) {
    if (isTemporary(error) && isStopped(run)) return;
    const isItsOwn = isRefusal(error) ? error.status < 500 : (error as Error).name === 'Problem';
    if (!isItsOwn) throw error;
    fail(run, article, explain(error));
    if (record.articleHash === '') run.records.delete(article.key);
  }
}

const BAD_ADDRESSES: Partial<Record<Written['addresses'][number], string>> = {
  taken: '已经属于另一篇文章',
  own: '本站自己有这个地址',
  query: '带着本站不认识的参数',
  malformed: '不是网址里的路径',
};

const OBSTACLES: Record<Exclude<Saved, 'created' | 'updated'>, string> = {
  'edited-on-site': '来源里有改动，但文章在站内也修改过，没有覆盖',
  'deleted-on-site': '来源里有改动，但文章已在站内删除，没有重新导入',
  'changed-meanwhile': '文章正被别处修改，这次没有导入，请再运行一次',
};

/** Converts an article to the rules of this site. Refuses as `fitArticle` does. */
async function prepare(run: SiteRun, article: ForeignArticle, owner: Person, planned?: PlannedPage) {
  const hidden = hideIn(article, run.options.omitsHidden ?? false);
  const warnings = [...article.warnings, ...hidden.warnings];
  const marked = { ...article, content: withoutTocMarks(hidden.text) };
  const content = await relinkForeign(run, marked, owner);
  warnings.push(...droppedTags(content));
  const isEmpty = content.trim() === '';
  if (isEmpty && article.status === 'normal') warnings.push('正文为空，已作为草稿导入');
  const isFuture = article.created !== undefined && article.created > run.now;
  if (isFuture && article.status === 'normal') warnings.push('发布日期在将来，已作为草稿导入');
  const status = isEmpty || isFuture ? 'draft' : article.status;
  const isPage = planned !== undefined;
  const lacksTag = article.tags.length === 0 && status === 'normal' && !isPage;
  if (lacksTag) tally(run, '没有标签的文章', `已归入标签“${UNTAGGED}”`);
  const series = run.series.get(article.series?.key ?? '') ?? '';
  const fitted = run.store.fit({
    title: titleOf(article, warnings),
    content: content.toWellFormed().replaceAll('\0', ''),
    tags: lacksTag ? [UNTAGGED] : article.tags,
    secret: article.isSecret || hidden.isSecret || (!isPage && article.page !== undefined),
    status,
    description: summaryOf(article),
    cover: await coverOf(run, article, owner),
    series,
    comments_closed: article.areCommentsClosed ?? false,
    pinned: (!isPage && article.isPinned) || false,
    isPage,
  });
  const type = fitText(article.type ?? '', MAX_TYPE_CHARACTERS).text;
  return { fields: { ...fitted.fields, type }, warnings: [...warnings, ...fitted.warnings] };
}

/** Hidden parts that the reader of the product has not handled. */
function hideIn({ content, isSecret }: ForeignArticle, omits: boolean): ReturnType<typeof hideParts> {
  return isSecret ? { text: content, isSecret, warnings: [] } : hideParts(content, { omits });
}

/** The description without hidden parts; empty if it is unknown where they end. */
function summaryOf({ description = '' }: ForeignArticle): string {
  const { text, isSecret } = hideParts(description, { omits: true });
  return isSecret ? '' : text;
}

function titleOf({ title, content }: ForeignArticle, warnings: string[]): string {
  if (title.trim() !== '') return title;
  warnings.push('没有标题，用了正文的开头');
  const line = content.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '无题';
  return fitText(line.replace(/^[#>\s*-]+/, ''), MAX_TITLE_CHARACTERS).text;
}

/** Writes an article; as a draft if it cannot be rendered, so its text is not lost. */
async function save(run: SiteRun, article: ForeignArticle, owner: Person, fields: Fields) {
  try {
    return await write(run, article, owner, fields);
  } catch (error) {
    const isTooComplex = isRefusal(error, 'CONTENT_TOO_COMPLEX') && !isTemporary(error);
    if (!isTooComplex || fields.status === 'draft') throw error;
    note(run, nameOf(article), `已作为草稿导入：${explain(error)}`);
    const record = run.records.get(article.key);
    // The store has recorded the refusal of a new article: updates the copy of its record.
    if (record?.articleHash === '') run.records.set(article.key, { ...record, fileHash: digestOf(article) });
    return write(run, article, owner, { ...fields, status: 'draft' });
  }
}

/** Slugs have no part in it: earlier versions did not read them. */
const digestOf = (article: ForeignArticle): string =>
  createHash('sha256')
    .update(JSON.stringify({ ...article, slug: undefined }))
    .digest('hex');

async function write(
  run: SiteRun,
  article: ForeignArticle,
  owner: Person,
  fields: Fields,
): Promise<Saved | 'unchanged'> {
  const record = run.records.get(article.key);
  if (!record) throw new Error(`no record of article ${article.key}`);
  const digest = digestOf(article);
  if (record.fileHash === digest && record.articleHash === run.store.hash(fields)) return 'unchanged';
  const created = Math.min(article.created ?? article.updated ?? run.now, run.now);
  const updated = Math.max(Math.min(article.updated ?? created, run.now), created);
  const [seriesNo, formerAddresses] = [article.series?.no, article.formerPaths];
  const { slug } = article;
  const page = run.pages.get(record.articleId);
  const entry = { record, digest, fields, created, updated, seriesNo, formerAddresses, slug, page };
  const { saved, addresses } = await run.store.saveArticle(owner, entry);
  for (const [at, outcome] of addresses.entries()) {
    const [address, why] = [formerAddresses[at], BAD_ADDRESSES[outcome]];
    // An article that keeps its id keeps its address.
    if (why && address !== `/detail/${record.articleId}`)
      note(run, nameOf(article), `旧地址 ${address} 没有转过来：${why}`);
  }
  return saved;
}
