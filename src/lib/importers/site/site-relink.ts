import { readDataPicture, restoreData, takeData } from '../../markdown-file/data-pictures.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import { addressOf, PICTURE_URL } from '../../contract/rules/pictures.ts';
import { isRefusal } from '../../contract/rules/errors.ts';
import type { Person } from '../../server/articles/import/site-import-service.ts';
import { explain } from '../../server/operations/explain.ts';
import { findAddresses, type Replacement } from '../folder/rewrite.ts';
import type { ForeignArticle } from './foreign-site.ts';
import { nameOf, note, type SiteRun, type Taken } from './site-run.ts';

const IMAGE = /\.(?:png|jpe?g|webp|gif|svg|avif|bmp|ico|tiff?)(?:[?#!].*)?$/i;

/**
 * Returns an article's text with new addresses: links to articles are replaced, pictures are stored, and
 * other addresses of the old site become absolute.
 * @throws Problem for a text that nests too deeply
 */
export async function relinkForeign(run: SiteRun, article: ForeignArticle, owner: Person): Promise<string> {
  const { text, pictures: embedded } = takeData(article.content);
  const { targets, rewrite } = findAddresses(text);
  const pictures = new Set(targets.filter(({ isPicture }) => isPicture).map(({ url }) => url));
  const replacements = new Map<string, Replacement>();
  const what = nameOf(article);
  for (const url of new Set(targets.map((target) => target.url))) {
    const old = run.addresses.resolve(url);
    const isPicture = pictures.has(url);
    const data = embedded.get(url);
    if (data !== undefined) {
      if (isPicture) replacements.set(url, await embed(run, owner, { data, what }));
      continue;
    }
    if (old.kind === 'article' && !isPicture) {
      replacements.set(url, { address: `/detail/${old.id}${old.anchor}` });
      continue;
    }
    if (isPicture || (old.kind === 'own' && IMAGE.test(url))) {
      const taken = await importPicture(run, owner, addressOf(url.trim()));
      if ('url' in taken) {
        replacements.set(url, { address: taken.url });
        continue;
      }
      if (taken.problem !== '') note(run, what, `图片没有导入：${url}（${taken.problem}）`);
      else if (old.kind === 'own') note(run, what, `找不到图片：${url}`);
    } else if (old.kind === 'own' && run.site.hasOurPaths && !old.path.startsWith(PICTURE_URL)) {
      replacements.set(url, { address: old.path });
      continue;
    } else if (old.kind === 'own') note(run, what, `链接的不是文章，仍指向旧站：${url}`);
    if (old.kind === 'own') replacements.set(url, { address: old.absolute });
  }
  return restoreData(
    rewrite(({ url }) => replacements.get(url)),
    embedded,
  );
}

/** Stores a picture that is in the text itself; a note takes the place of one that cannot be stored. */
async function embed(
  run: SiteRun,
  owner: Person,
  { data, what }: { data: string; what: string },
): Promise<Replacement> {
  try {
    const { bytes } = readDataPicture(data, BOUNDS.imageBytes);
    return { address: await keep(run, owner, bytes) };
  } catch (error) {
    if (isRefusal(error) ? error.status >= 500 : !(error instanceof Problem)) throw error;
    note(run, what, `内嵌的图片没有导入，文中留下说明（${explain(error)}）`);
    return { note: { text: '（图片缺失：内嵌的图片）', html: '（图片缺失：内嵌的图片）' } };
  }
}

export async function coverOf(run: SiteRun, article: ForeignArticle, owner: Person): Promise<string> {
  const { cover = '' } = article;
  if (cover === '') return '';
  const taken = await importPicture(run, owner, cover);
  if ('url' in taken) return taken.url;
  note(run, nameOf(article), `封面没有导入：${cover}${taken.problem && `（${taken.problem}）`}`);
  return '';
}

/** Stores a picture of the site, once per owner. */
export function importPicture(run: SiteRun, owner: Person, address: string): Promise<Taken> {
  const key = `${owner.id} ${address}`;
  const known = run.pictures.get(key);
  if (known) return known;
  const taken = store(run, owner, address);
  run.pictures.set(key, taken);
  return taken;
}

async function store(run: SiteRun, owner: Person, address: string): Promise<Taken> {
  const bytes = await run.site.picture(address);
  if (!bytes) return { problem: '' };
  try {
    return { url: await keep(run, owner, bytes) };
  } catch (error) {
    if (!isRefusal(error) || error.status >= 500) throw error;
    return { problem: explain(error) };
  }
}

async function keep(run: SiteRun, owner: Person, bytes: Uint8Array): Promise<string> {
  const name = await run.store.storePicture(owner, bytes);
  if (!run.stored.has(name)) run.report.pictures++;
  run.stored.add(name);
  return PICTURE_URL + name;
}
