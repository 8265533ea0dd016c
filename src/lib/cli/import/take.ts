import type {
  ImportedArticle,
  ImportRecord,
  ImportService,
  Saved,
} from '../../server/articles/import-service.ts';
import type { Viewer } from '../../server/auth/auth-service.ts';
import { explain } from '../explain.ts';
import type { AddressBook } from './addresses.ts';
import { readArticle, type RawArticle } from './article.ts';
import type { Images } from './images.ts';
import type { Outcome } from './report.ts';
import { findAddresses } from './rewrite.ts';
import type { Folder, FoundFile } from './walk.ts';

export interface ImportOptions {
  folder: string;
  author: Viewer;
  isDryRun: boolean;
  /** Whether to write over articles that were edited or deleted on the site. */
  force: boolean;
  /** Ends the run after the files under way. */
  signal?: AbortSignal;
  /** Called as files are done. */
  onProgress?(done: number, total: number): void;
  /** Milliseconds since the epoch. */
  now?(): number;
}

/** One run, and what it knows. */
export interface Run {
  options: ImportOptions;
  imports: ImportService;
  folder: Folder;
  /** What the folder is called in tags and titles. */
  name: string;
  now: number;
  images: Images;
  records: Map<string, ImportRecord>;
  /** Which files link to an article, by the path of the article. */
  linkers: Map<string, Set<string>>;
  /** Articles that could not be written: links to them stay as they are. */
  lost: Set<string>;
  /** Articles that came back under another id. */
  moved: Set<string>;
  outcomes: Map<string, Outcome>;
  failures: Map<string, string>;
  warnings: Map<string, Set<string>>;
}

/** Imports one file; whatever goes wrong is noted and stops nothing else. */
export async function take(run: Run, book: AddressBook, file: FoundFile): Promise<void> {
  try {
    const article = await readArticle(file, { folder: run.name, now: run.now });
    for (const warning of article.warnings) warn(run, file.path, warning);
    const content = await rewrite(run, book, file, article.body);
    const { fields, warnings } = run.imports.fit({ ...article, content });
    for (const warning of warnings) warn(run, file.path, warning);
    await write(run, file.path, article, fields);
  } catch (error) {
    run.failures.set(file.path, explain(error));
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
  const entry = { record, fileHash: article.hash, fields, ...timesOf(article, isNew) };
  const { saved, record: next } = isDryRun
    ? { saved: await run.imports.foresee(author, record, { force }), record }
    : await run.imports.save(author, entry, { force });
  if (next.articleId !== record.articleId) run.moved.add(path);
  run.records.set(path, next);
  if (saved === 'created' || saved === 'updated') {
    settle(run, path, saved);
  } else {
    warn(run, path, OBSTACLES[saved]);
    settle(run, path, 'skipped');
  }
}

const OBSTACLES: Record<Exclude<Saved, 'created' | 'updated'>, string> = {
  'edited-on-site': '文章在站内修改过，没有覆盖（加 --force 以文件为准）',
  'deleted-on-site': '文章已在站内删除，没有重新导入（加 --force 重新导入）',
  'changed-meanwhile': '文章正被别处修改，这次没有导入，请再运行一次',
};

/** A second look at a file in the same run does not change what was said of it first. */
function settle(run: Run, path: string, outcome: Outcome): void {
  const former = run.outcomes.get(path);
  if (former === undefined || former === 'unchanged') run.outcomes.set(path, outcome);
}

/** An article without dates is as old as its file when it is new; afterwards it keeps its date and is updated now. */
function timesOf(article: RawArticle, isNew: boolean): { created?: number; updated?: number } {
  const created = article.created ?? (isNew ? article.modified : undefined);
  const updated = article.updated === undefined ? undefined : Math.max(article.updated, created ?? 0);
  const last = updated ?? (isNew ? created : undefined);
  return { ...(created === undefined ? {} : { created }), ...(last === undefined ? {} : { updated: last }) };
}

/** The body with the addresses of the new site. Pictures are stored on the way. */
async function rewrite(run: Run, book: AddressBook, file: FoundFile, body: string): Promise<string> {
  const addresses = findAddresses(body);
  const replacements = new Map<string, string>();
  for (const url of new Set(addresses.urls)) {
    const destination = book.resolve(url, file.path);
    if (destination.kind === 'other') continue;
    if (destination.kind === 'article') {
      const linkers = run.linkers.get(destination.path) ?? new Set();
      run.linkers.set(destination.path, linkers.add(file.path));
      const id = run.records.get(destination.path)?.articleId ?? '';
      replacements.set(url, `/detail/${id}${destination.anchor}`);
    } else if (destination.kind === 'image') {
      const stored = await run.images
        .take(destination.absolute, destination.bytes)
        .catch((error: unknown) => {
          warn(run, file.path, `图片没有导入：${url}（${explain(error)}）`);
          return null;
        });
      if (stored !== null) replacements.set(url, stored);
    } else {
      warn(run, file.path, `${COMPLAINTS[destination.kind]}：${url}`);
    }
  }
  return addresses.replace(replacements);
}

const COMPLAINTS = {
  outside: '链接指向文件夹之外，保留原样',
  'missing-image': '找不到图片，链接保留原样',
  'missing-article': '找不到链接的文章，保留原样',
};

function warn(run: Run, path: string, text: string): void {
  const warnings = run.warnings.get(path) ?? new Set();
  run.warnings.set(path, warnings.add(text));
}
