// @ts-check
// Publishes a folder of Markdown files to a site of Moye. Needs only Node 20 or later, so that a CI job can
// copy this one file:
//
//   MOYE_TOKEN=moye_pat_… node moye-publish.mjs <folder> --site <url> [--dry-run] [--publish-all] [--delete]
//     [--force]
import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { lstat, open, readdir, rename, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { env, exit } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

/** Digests of the files that this folder has sent, so that two folders do not overwrite each other. */
const STATE_FILE = '.moye-publish.json';
const CONFLICT = '冲突：网站上有别的改动，没有覆盖';
const NOT_REMEMBERED = '写不了，下次分不清网站上的改动来自哪里';
const MAX_ROUNDS = 4;
/** Documents of a project at its root, and instructions for tools anywhere; the import has the same. */
const DOCUMENTS =
  /^(?:readme|licen[cs]e|copying|changelog|contributing|code_of_conduct|security|claude|agents|gemini)(?:[-._][\w-]+)*$/i;
const INSTRUCTIONS = /^(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?$/;
/** What a site must understand, so that a file without front matter stays unpublished. */
const NEEDED = ['plain', 'dry_run'];
const [MAX_TRIES, MAX_PAUSE_S] = [6, 120];
/** Consecutive files at which the site fails before the run ends. */
const MAX_FAULTS = 3;
const MIB = 1024 * 1024;
/** Maximum bytes that are read of a file. The site takes no more. */
const MAX_BYTES = { article: 2 * MIB, picture: 16 * MIB, state: 64 * MIB };

/**
 * @typedef {{ folder: string, site: string, token: string, isDryRun: boolean, deletes: boolean,
 *   force: boolean, publishesAll: boolean, report: (path: string, outcome: string) => void }} Options
 * @typedef {{ path: string, kind: 'article' | 'picture', digest: string, state: 'same' | 'edited' | 'gone',
 *   is_stale: boolean, status?: 'normal' | 'draft' | null }} Entry
 * @typedef {{ files: Entry[], takes?: string[], outcome: string, visibility: string,
 *   notes: string[] }} Data
 * @typedef {{ code: string, data: Data, why: string, error?: string, etag?: string,
 *   missing?: string[] }} Answer
 */

/** An error with a sentence for the person who runs the command. */
class PublishError extends Error {
  /** @override */
  name = 'PublishError';
}

/**
 * Uploads what changed since the last run.
 * @param {Options} options
 * @returns {Promise<{ counts: Record<string, number>, hasFailed: boolean }>}
 */
async function publish({ folder, site, token, isDryRun, deletes, force, publishesAll, report }) {
  const ask = client(site, token);
  /** @type {Map<string, string>} */
  const skipped = new Map();
  const local = await walk(folder, skipped);
  const state = await readState(folder);
  const isVault = existsSync(join(folder, '.obsidian'));
  /** @type {Record<string, number>} */
  const counts = {};
  let hasFailed = false;
  const notes = new Map(/** @type {[string, string[]][]} */ ([]));
  const tell = (/** @type {string} */ path, /** @type {string} */ outcome, isFailure = false) => {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    hasFailed ||= isFailure;
    report(path, outcome);
  };
  for (const [path, reason] of skipped) tell(path, `跳过：${reason}`);
  const list = async () => {
    const { files, takes = [] } = (await ask('GET', '/api/articles/by-path')).data;
    if ((isDryRun || !publishesAll) && !NEEDED.every((each) => takes.includes(each)))
      throw new PublishError('网站的墨页版本太旧，会把没有 front matter 的文件直接公开：请先升级网站');
    return new Map(files.map((entry) => [entry.path, entry]));
  };
  let known = await list();
  const hasArticles = [...known.values()].some(({ kind }) => kind === 'article');
  if (deletes && hasArticles && ![...local.keys()].some(isMarkdown))
    throw new PublishError('文件夹里没有 Markdown 文件：没有删除网站上的文章，请检查文件夹的路径');

  // Pictures first: an article is refused until the site has those that it shows.
  for (const { path, kind, digest, state: place } of known.values()) {
    const file = local.get(path);
    if (kind !== 'picture' || !file) continue;
    const { bytes, why } = await readBytes(file, MAX_BYTES.picture);
    if (!bytes) tell(path, `图片没有上传：${why}`, true);
    else if (place === 'gone' || hashOf(bytes) !== digest) {
      if (!isDryRun && !(await putPicture(path, bytes))) continue;
      tell(path, '已更新图片');
    }
  }
  if (!isDryRun) known = await list();

  for (let round = 1; round <= MAX_ROUNDS; round++) {
    let written = 0;
    for (const [path, file] of [...local].filter(([name]) => isMarkdown(name)).sort(byPath)) {
      const entry = known.get(path);
      if (round > 1 && !entry?.is_stale) continue;
      const { bytes, why } = await readBytes(file, MAX_BYTES.article);
      if (!bytes) {
        tell(path, `没有发布：${why}`, true);
        continue;
      }
      const isPlain = !hasFrontMatter(bytes);
      const reason = entry ? null : reasonToSkip(path, isPlain);
      if (reason !== null) {
        tell(path, `跳过：${reason}`);
        continue;
      }
      const digest = hashOf(bytes);
      const isKept = publishesAll && isPlain && entry?.status === 'draft' && entry.state === 'same';
      if (entry && entry.digest === digest && !entry.is_stale && entry.state !== 'gone' && !isKept) {
        if (entry.state === 'same') await remember(path, digest);
        tell(path, entry.state === 'same' ? '没有变化' : '在网站上改过，本地没有变');
        continue;
      }
      if (entry?.state === 'gone' && !force) {
        tell(path, '在网站上删除了，没有重新发布');
        continue;
      }
      const isOthers = state[path] !== undefined && state[path] !== entry?.digest;
      if (entry && !force && entry.digest !== digest && (entry.state === 'edited' || isOthers)) {
        tell(path, CONFLICT, true);
        continue;
      }
      const saved = await putArticle(path, bytes, entry);
      // A request of a killed run may have stored these bytes after the list was read.
      if (saved.code === 'OK' || saved.etag === digest) {
        written++;
        await remember(path, digest);
        tell(path, describe(saved.data, isDryRun));
        notes.set(path, saved.data.notes ?? []);
      } else tell(path, saved.error === 'FILE_CHANGED' ? CONFLICT : `没有发布：${saved.why}`, true);
    }
    if (written === 0 || isDryRun) break;
    known = await list();
    if (![...known.values()].some(({ is_stale, path }) => is_stale && local.has(path))) break;
  }

  // Reports the last round only: before it, a link may have been waiting for its file.
  for (const [path, own] of notes) for (const note of own) report(path, `  ${note}`);

  if (deletes)
    for (const entry of known.values()) {
      const { path, kind, state: place } = entry;
      if (kind !== 'article' || local.has(path) || isSkipped(path)) continue;
      const kept = await whyNotGone(join(folder, path));
      if (kept !== null) tell(path, `没有删除：${kept}`, true);
      else if (place === 'edited' && !force) tell(path, '本地已删除，但网站上改过，没有删除', true);
      else {
        const headers = preconditionsOf(entry);
        const address = `/api/articles/by-path/${encode(path)}`;
        const answer = isDryRun ? null : await ask('DELETE', address, { headers }, true);
        if (answer && answer.code !== 'OK') tell(path, `没有删除：${answer.why}`, true);
        else tell(path, isDryRun ? '会移到回收站' : '已移到回收站');
      }
    }
  return { counts, hasFailed };

  /**
   * Whether a file, or a folder above it, is there but was not read.
   * @param {string} path
   */
  function isSkipped(path) {
    return path.split('/').some((_, at, parts) => skipped.has(parts.slice(0, at + 1).join('/')));
  }

  /**
   * @param {string} path @param {Buffer} bytes @param {Entry | undefined} entry
   * @returns {Promise<Answer>}
   */
  async function putArticle(path, bytes, entry) {
    const headers = { 'Content-Type': 'text/markdown', ...preconditionsOf(entry) };
    const plain = publishesAll ? 'publish' : 'draft';
    const url = `/api/articles/by-path/${encode(path)}?vault=${isVault}&plain=${plain}`;
    if (isDryRun) return ask('PUT', `${url}&missing=keep&dry_run=true`, { headers, body: bytes }, true);
    const saved = await ask('PUT', url, { headers, body: bytes }, true);
    if (saved.error !== 'PICTURES_MISSING') return saved;
    for (const name of saved.missing ?? []) {
      const found = local.has(name) || !isVault ? name : byName(name);
      const file = local.get(found);
      if (!file) report(path, `  没有找到图片 ${name}`);
      else {
        const { bytes: picture, why } = await readBytes(file, MAX_BYTES.picture);
        if (picture) await putPicture(found, picture);
        else tell(found, `图片没有上传：${why}`, true);
      }
    }
    return ask('PUT', `${url}&missing=keep`, { headers, body: bytes }, true);
  }

  /**
   * Path of a file with the same name anywhere: a note of Obsidian names pictures without their folder.
   * @param {string} path
   */
  function byName(path) {
    const name = `/${posix.basename(path).toLowerCase()}`;
    return [...local.keys()].find((each) => `/${each}`.toLowerCase().endsWith(name)) ?? path;
  }

  /** @param {Entry | undefined} entry @returns {Record<string, string>} */
  function preconditionsOf(entry) {
    if (entry?.state === 'gone') return {};
    if (!entry) return { 'If-None-Match': '*' };
    return { 'If-Match': force ? '*' : `"${entry.digest}"` };
  }

  /**
   * Returns whether the site has taken the picture.
   * @param {string} path @param {Buffer} bytes
   */
  async function putPicture(path, bytes) {
    const answer = await ask('PUT', `/api/pictures/by-path/${encode(path)}`, { body: bytes }, true);
    const isTaken = answer.code === 'OK';
    if (!isTaken) tell(path, `图片没有上传：${answer.why}`, true);
    return isTaken;
  }

  /** @param {string} path @param {string} digest */
  async function remember(path, digest) {
    if (isDryRun || state[path] === digest) return;
    state[path] = digest;
    const file = join(folder, STATE_FILE);
    try {
      await writeFile(`${file}.new`, `${JSON.stringify(state, null, 1)}\n`);
      await rename(`${file}.new`, file);
    } catch (error) {
      if (!counts[NOT_REMEMBERED]) tell(STATE_FILE, NOT_REMEMBERED, true);
      report(STATE_FILE, `  ${whyOf(error)}`);
    }
  }
}

/** @type {Record<string, [done: string, planned: string]>} */
const VISIBILITIES = {
  public: ['已公开', '会公开'],
  draft: ['存为草稿', '会存为草稿'],
  secret: ['存为私密', '会存为私密'],
  pending: ['等待审核', '会等待审核'],
};
/** @type {Record<string, string>} */
const OUTCOMES = { created: '新建', updated: '更新' };

/** @param {Data} saved @param {boolean} isDryRun */
function describe({ outcome, visibility }, isDryRun) {
  const [done, planned] = VISIBILITIES[visibility] ?? ['已保存', '会保存'];
  const how = OUTCOMES[outcome];
  return how === undefined ? '没有变化' : `${isDryRun ? planned : done}（${how}）`;
}

/**
 * Whether a file states anything in front matter; the site decides for files that are sent.
 * @param {Buffer} bytes
 */
function hasFrontMatter(bytes) {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return (
    /^(?:---|\+\+\+)[ \t]*\r?\n(?!\s*(?:---|\+\+\+|\.\.\.))/.test(text) ||
    /^(?:\{\s*"|(?:title|date|layout|tags|categories|author|permalink):)/.test(text)
  );
}

/**
 * Returns why a new file is not sent, in Chinese; null for others.
 * @param {string} path @param {boolean} isPlain
 */
function reasonToSkip(path, isPlain) {
  const name = posix.basename(path);
  if (name.startsWith('.')) return '文件名以点开头';
  if (/\.excalidraw\.md$/i.test(name)) return 'Excalidraw 的绘图';
  const stem = name.replace(/\.[^.]*$/, '');
  const isDocument = INSTRUCTIONS.test(stem) || (!path.includes('/') && DOCUMENTS.test(stem));
  return isPlain && isDocument ? '项目的说明文件' : null;
}

/** @param {Buffer} bytes */
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** @param {string} path */
const isMarkdown = (path) => /\.(?:md|markdown)$/i.test(path);
/** @param {string} path */
const encode = (path) => path.split('/').map(encodeURIComponent).join('/');
/** @param {[string, string]} one @param {[string, string]} other */
const byPath = ([one], [other]) => (one < other ? -1 : 1);

/**
 * Returns a function that calls the site, again after 429, 5xx or an answer with `Retry-After`.
 * @param {string} site @param {string} token
 */
function client(site, token) {
  const origin = site.replace(/\/+$/, '');
  let faults = 0;
  /**
   * @param {string} method @param {string} path
   * @param {{ headers?: Record<string, string>, body?: Buffer }} [init] @param {boolean} [takesRefusals]
   * @returns {Promise<Answer>}
   */
  return async function ask(method, path, { headers = {}, body } = {}, takesRefusals = false) {
    for (let tried = 1; ; tried++) {
      const response = await fetch(origin + path, {
        method,
        headers: { ...headers, Authorization: `Bearer ${token}` },
        ...(body ? { body: new Uint8Array(body) } : {}),
      }).catch(() => null);
      const after = response?.headers.get('retry-after');
      const isDown = !response || response.status === 429 || response.status >= 500;
      const pause = Number(after ?? 2 ** tried);
      if ((isDown || after) && tried < MAX_TRIES && pause <= MAX_PAUSE_S) {
        await sleep(pause * 1000);
        continue;
      }
      if (!response) throw new PublishError(`连不上 ${origin}`);
      const answer = await read(response);
      faults = isDown ? faults + 1 : 0;
      const isFinal = faults >= MAX_FAULTS || response.status === 401 || answer.error === 'SCOPE_MISSING';
      if (answer.code !== 'OK' && (isFinal || !takesRefusals))
        throw new PublishError(answer.why || `${origin} 不是墨页的网站`);
      return answer;
    }
  };
}

/**
 * Reads the envelope of an answer, with the sentence of a refusal as `why`.
 * @param {Response} response @returns {Promise<Answer>}
 */
async function read(response) {
  /** @type {unknown} */
  const body = await response.json().catch(() => null);
  const answer = /** @type {Answer} */ (typeof body === 'object' && body !== null ? body : { code: 'ERROR' });
  const { status } = response;
  const other = status === 413 ? '文件太大，网站不收' : status >= 400 ? `网站回答 ${status}` : '';
  return { ...answer, why: typeof answer.data === 'string' ? answer.data : other };
}

/**
 * Files below `folder` by their path in it, without those in hidden folders. Links are not followed.
 * @param {string} folder @param {Map<string, string>} skipped receives what is not read, with the reason
 * @returns {Promise<Map<string, string>>}
 */
async function walk(folder, skipped, inside = '') {
  const files = new Map();
  const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch((error) => {
    if (inside === '') throw new PublishError(`打不开文件夹 ${folder}`);
    skipped.set(inside.normalize('NFC'), `打不开文件夹（${whyOf(error)}）`);
    return [];
  });
  for (const entry of entries) {
    const isHidden = entry.name.startsWith('.') && !(entry.isFile() && isMarkdown(entry.name));
    if (isHidden || entry.name === 'node_modules') continue;
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) for (const found of await walk(folder, skipped, path)) files.set(...found);
    else if (entry.isFile()) files.set(path.normalize('NFC'), join(folder, path));
    else skipped.set(path.normalize('NFC'), entry.isSymbolicLink() ? '符号链接，没有跟随' : '不是普通文件');
  }
  return files;
}

/**
 * Reads a regular file of at most `most` bytes, after a look at its kind and size; otherwise returns why not.
 * @param {string} path @param {number} most
 * @returns {Promise<{ bytes: Buffer, why?: undefined } | { bytes?: undefined, why: string }>}
 */
async function readBytes(path, most) {
  // Without waiting for the other end of a pipe. Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  /** @type {import('node:fs/promises').FileHandle | undefined} */
  let file;
  try {
    file = await open(path, flags);
    const stats = await file.stat();
    if (!stats.isFile()) return { why: '不是普通文件' };
    if (stats.size > most) return { why: `文件太大（${inMib(stats.size)}，最多 ${inMib(most)}）` };
    return { bytes: await file.readFile() };
  } catch (error) {
    return { why: `读不了（${whyOf(error)}）` };
  } finally {
    await file?.close();
  }
}

/**
 * Returns why a file does not count as deleted; null if it is gone.
 * @param {string} path
 */
async function whyNotGone(path) {
  try {
    await lstat(path);
    return '本地还有这个文件';
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(whyOf(error)) ? null : `本地读不了（${whyOf(error)}）`;
  }
}

/** @param {number} bytes */
const inMib = (bytes) => `${Math.ceil(bytes / MIB)} MB`;

/** @param {unknown} error an error of the file system */
const whyOf = (error) => (error instanceof Error && 'code' in error ? String(error.code) : String(error));

/**
 * Digests by path; empty for a file that is missing or has another form.
 * @param {string} folder @returns {Promise<Record<string, string>>}
 */
async function readState(folder) {
  const { bytes } = await readBytes(join(folder, STATE_FILE), MAX_BYTES.state);
  try {
    /** @type {unknown} */
    const state = JSON.parse(String(bytes));
    if (typeof state !== 'object' || state === null || Array.isArray(state)) return {};
    return Object.fromEntries(Object.entries(state).filter(([, digest]) => typeof digest === 'string'));
  } catch {
    return {};
  }
}

const USAGE =
  '用法：MOYE_TOKEN=… node moye-publish.mjs <文件夹> --site <网址> [--dry-run] [--publish-all] [--delete] [--force]';

const HELP = `没有 front matter 的文件存为草稿；README、LICENSE 等说明文件、名字以点开头的文件跳过。
在网站上发布过的草稿，以后同步也不会变回草稿。

  --dry-run      只报告会发生什么，不上传
  --publish-all  没有 front matter 的文件也公开
  --delete       本地删除了的文章移到网站的回收站
  --force        覆盖在网站上改过的文章，重新发布在网站上删除的文章`;

/** Reads the command line; ends the process with the usage if it cannot be read. */
function readWords() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        site: { type: 'string', default: env['MOYE_SITE'] ?? '' },
        token: { type: 'string', default: env['MOYE_TOKEN'] ?? '' },
        'dry-run': { type: 'boolean', default: false },
        delete: { type: 'boolean', default: false },
        force: { type: 'boolean', default: false },
        'publish-all': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { site, token, 'dry-run': isDryRun, delete: deletes, force, help } = values;
    const [folder] = positionals;
    if (help) {
      console.log(`${USAGE}\n\n${HELP}`);
      return exit(0);
    }
    if (folder !== undefined && site !== '' && token !== '')
      return { folder, site, token, isDryRun, deletes, force, publishesAll: values['publish-all'] };
  } catch {
    // Unknown option.
  }
  console.error(USAGE);
  return exit(2);
}

try {
  const report = (/** @type {string} */ path, /** @type {string} */ outcome) =>
    console.log(`${path}  ${outcome}`);
  const { counts, hasFailed } = await publish({ ...readWords(), report });
  const summary = Object.entries(counts).map(([outcome, count]) => `${outcome} ${count}`);
  console.log(summary.join('，') || '没有文件');
  exit(hasFailed ? 1 : 0);
} catch (error) {
  console.error(error instanceof PublishError ? error.message : error);
  exit(1);
}
