import { posix } from 'node:path';
import { endsRun } from '../report.ts';
import { importFriends, namesOf, toNavigation } from '../site/links.ts';
import { createOldAddresses } from '../site/old-addresses.ts';
import { basePath } from './generators/settings.ts';
import { warn, type Run } from './import-run.ts';
import { readSiteData } from './site-data.ts';

const keyOf = (path: string): string => path.replace(/(?:\.html?|\/)+$/i, '');

/** Gives each page a slug, and a place below the page whose former address is above its own. */
export async function planPages(run: Run): Promise<void> {
  const { imports, options, records, scanned } = run;
  if (scanned.taken.length === 0) return;
  if (!options.makesPages) {
    warn(run, '.', `${options.author.username} 不是站长，不能建网站的页面，页面导入为仅自己可见的文章`);
    return;
  }
  const pages = scanned.taken.flatMap((page) => {
    const record = records.get(page.path);
    const formerAddresses = scanned.formerPaths.get(page.path) ?? [];
    const key = keyOf(formerAddresses[0] ?? '');
    return record
      ? [{ ...page, key, formerAddresses, id: record.articleId, isNew: record.articleHash === '' }]
      : [];
  });
  const ids = new Map(pages.map(({ key, id }) => [key, id]));
  run.pages = await imports.planPages(
    pages.map((page) => ({ ...page, parent: (page.key && ids.get(posix.dirname(page.key))) || '' })),
  );
  for (const { path, id } of pages) {
    for (const text of run.pages.get(id)?.warnings ?? []) warn(run, path, text);
    if (!run.pages.has(id)) warn(run, path, '以前导入成了私密文章，仍是文章，没有变成页面');
  }
}

/** Adds the entries of the site's menus to the navigation, and its links to friends. */
export async function importLinks(run: Run): Promise<void> {
  const { folder, imports, options, pages, records, scanned } = run;
  if (!options.makesPages || options.signal?.aborted) return;
  const { generator, place } = folder;
  const base = basePath(generator);
  const addresses = createOldAddresses([]);
  for (const [path, { articleId }] of records) {
    const known = [
      ...(scanned.formerPaths.get(path) ?? []),
      ...(scanned.addresses.get(path) ?? []).map((each) => `/${each}`),
    ];
    addresses.add(known, articleId);
    addresses.add(
      known.map((each) => (each.startsWith(`${base}/`) ? each.slice(base.length) : each)),
      articleId,
    );
  }
  const { navigation: menu, friends, headerPages } = readSiteData(generator);
  const ofHeader = headerPages.map((path) => {
    const article = posix.relative(place, path);
    return { text: scanned.titles.get(article) ?? '', target: { article } };
  });
  const entries = [...menu, ...ofHeader, ...scanned.entries];
  const idOf = (path: string): string | undefined => records.get(path)?.articleId;
  const { navigation, lost } = toNavigation(entries, { addresses, pages, idOf });
  for (const { what, why } of lost) warn(run, '.', `${what}：${why}`);
  const left = await imports.addNavigation(navigation, options);
  run.navigation = navigation.length - left.length;
  if (left.length > 0) warn(run, '.', `本站的导航已经改过，没有加进去：${namesOf(left)}`);
  const logoOf = async (address: string): Promise<string> => {
    if (!options.importsPicture?.(address)) return '';
    const stored = await run.images.fetch(address).catch((error: unknown) => {
      if (endsRun(error)) throw error;
      return { address: '' };
    });
    return stored.address;
  };
  const { added, problems } = await importFriends(friends, (all) => imports.addFriends(all, options), logoOf);
  run.friends = added;
  for (const problem of problems) warn(run, '.', `友链：${problem}`);
}
