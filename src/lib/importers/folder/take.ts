import { isTemporary } from '../../contract/rules/errors.ts';
import type { ImportedArticle, Saved } from '../../server/articles/import/import-service.ts';
import type { Added } from '../../server/redirects/former-path-service.ts';
import { asText, pick } from '../../markdown-file/front-matter.ts';
import type { AddressBook } from './addresses.ts';
import { readArticle, type RawArticle } from './article.ts';
import { warn, type Run } from './import-run.ts';
import { relink } from './relink.ts';
import { endsRun, explainInReport, type Outcome } from '../report.ts';
import { alreadyTaken } from './scan.ts';
import type { FoundFile } from './walk.ts';

/** Imports one file. Records errors of the file; throws errors that end the run. */
export async function take(run: Run, book: AddressBook, file: FoundFile): Promise<void> {
  try {
    const article = await readArticle(file, run.place);
    for (const warning of article.warnings) warn(run, file.path, warning);
    const relinked = await relink({ run, book, file }, article);
    const isPage = run.pages.has(run.records.get(file.path)?.articleId ?? '');
    const { fields, warnings } = run.imports.fit({
      ...article,
      ...relinked,
      isPage,
      secret: article.secret || (article.page !== null && !isPage),
      series: (!isPage && run.series.get(article.seriesName)) || '',
      tags: isPage ? article.ownTags : article.tags,
    });
    for (const warning of warnings) warn(run, file.path, warning);
    await write(run, file.path, article, fields);
  } catch (error) {
    if (isTemporary(error) && run.options.signal?.aborted) return;
    if (endsRun(error)) throw error;
    run.scanned.failures.set(file.path, explainInReport(error));
    run.outcomes.set(file.path, 'failed');
    if (run.records.get(file.path)?.articleHash === '') run.lost.add(file.path);
  }
}

async function write(
  run: Run,
  path: string,
  article: RawArticle,
  fields: ImportedArticle['fields'],
): Promise<void> {
  const { author, isDryRun, force } = run.options;
  const record = run.records.get(path);
  if (!record) throw new Error(`no record for ${path}`);
  const articleHash = run.imports.hash(fields);
  const isNew = record.articleHash === '';
  if (record.fileHash === article.hash && record.articleHash === articleHash) {
    settle(run, path, 'unchanged');
    return;
  }
  const formerAddresses = run.scanned.formerPaths.get(path) ?? [];
  const slug = asText(pick(article.metadata, 'slug'));
  const page = run.pages.get(record.articleId);
  const source = { record, fileHash: article.hash, fields, formerAddresses, slug, page };
  const entry = { ...source, ...timesOf(article, isNew) };
  const {
    saved,
    record: next,
    addresses = [],
  } = isDryRun
    ? await run.imports.foresee(author, entry, { force, promised: run.promised })
    : await run.imports.save(author, entry, { force });
  warnOfAddresses(run, path, formerAddresses, addresses);
  if (next.articleId !== record.articleId) run.moved.add(path);
  run.records.set(path, next);
  if (saved === 'created' || saved === 'updated') {
    settle(run, path, saved);
  } else {
    warn(run, path, OBSTACLES[saved]);
    settle(run, path, 'skipped');
  }
}

const PROBLEMS: Partial<Record<Added, string>> = {
  malformed: '旧地址无法登记',
  query: '旧地址带有参数，没有登记',
  own: '旧地址与本站的页面相同，没有登记',
};

function warnOfAddresses(run: Run, path: string, asked: readonly string[], became: readonly Added[]): void {
  const taken = asked.filter((_, index) => became[index] === 'taken');
  if (taken.length > 0) warn(run, path, alreadyTaken(taken));
  for (const [index, address] of asked.entries()) {
    const problem = PROBLEMS[became[index] ?? 'added'];
    if (problem !== undefined) warn(run, path, `${problem}：${address}`);
  }
}

const OBSTACLES: Record<Exclude<Saved, 'created' | 'updated'>, string> = {
  'edited-on-site': '文章在站内修改过，没有覆盖（加 --force 以文件为准）',
  'deleted-on-site': '文章已在站内删除，没有重新导入（加 --force 重新导入）',
  'changed-meanwhile': '文章正被别处修改，这次没有导入，请再运行一次',
};

/** A file that is processed again keeps its first outcome, unless that was `unchanged`. */
function settle(run: Run, path: string, outcome: Outcome): void {
  const former = run.outcomes.get(path);
  if (former === undefined || former === 'unchanged') run.outcomes.set(path, outcome);
}

/** A new article without dates gets those of its repository or file; an existing one keeps its date. */
function timesOf(article: RawArticle, isNew: boolean): { created?: number; updated?: number } {
  const isUndated = article.created === undefined && isNew;
  const created = article.created ?? (isNew ? article.known.first : undefined);
  const written = article.updated ?? (isUndated ? article.known.last : undefined);
  const updated = written === undefined ? undefined : Math.max(written, created ?? 0);
  const last = updated ?? (isNew ? created : undefined);
  return { ...(created === undefined ? {} : { created }), ...(last === undefined ? {} : { updated: last }) };
}
