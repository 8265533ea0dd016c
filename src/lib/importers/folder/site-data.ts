import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, asText, asTexts, pick, type Metadata } from '../../markdown-file/front-matter.ts';
import type { ForeignEntry, ForeignFriend } from '../site/foreign-site.ts';
import { readData, type Generator } from './generator.ts';

/** Names that NexT and its like give to entries, which their language files translate. */
const NAMES: Readonly<Record<string, string>> = {
  home: '首页',
  archives: '归档',
  categories: '分类',
  tags: '标签',
  about: '关于',
  links: '友链',
  friends: '友链',
};
const FRIENDS = /^(?:friend|flink|friend_?link|link|blogroll)s?\.(?:ya?ml|json|toml)$/i;
const NAVIGATION = /^(?:navigation|nav|menus?)\.(?:ya?ml|json|toml)$/i;
const FOLDERS = ['source/_data', '_data', 'data', 'config/_default'];

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
/** Without the icon: `/about/ || fa fa-user`. */
const plain = (value: unknown): string => asText(value).split('||')[0]?.trim() ?? '';
const namedText = (text: string): string => NAMES[text.toLowerCase()] ?? text;
const weightOf = (value: unknown): number => Number(asText(pick(asObject(value), 'weight')) || Infinity);

/** Reads entries of a menu of any generator: lists and mappings of names and addresses, nested or not. */
function readEntries(value: unknown, name = '', place?: ForeignEntry['place']): ForeignEntry[] {
  if (isList(value)) {
    const inOrder = value.toSorted((a, b) =>
      weightOf(a) < weightOf(b) ? -1 : weightOf(a) > weightOf(b) ? 1 : 0,
    );
    return inOrder.flatMap((each) => readEntries(each, '', place));
  }
  if (typeof value === 'string')
    return name === '' ? [] : [{ text: namedText(name), place, target: { address: plain(value) } }];
  const fields = asObject(value);
  const address = plain(pick(fields, 'url', 'link', 'href', 'path', 'pageRef', 'permalink'));
  if (address === '')
    return Object.entries(fields).flatMap(([key, each]) =>
      readEntries(each, plain(key), /foot|bottom/i.test(key) ? 'footer' : place),
    );
  const text = namedText(plain(pick(fields, 'name', 'title', 'text', 'label', 'identifier')) || name);
  const below = readEntries(pick(fields, 'children', 'sublinks', 'submenu', 'items') ?? [], '', place);
  return [{ text, place, target: { address } }, ...below];
}

/** Entries that Hugo reads from front matter: `menu: main`, or a mapping with a name. */
export function entriesOf({
  path,
  title,
  metadata,
}: {
  path: string;
  title: string;
  metadata: Metadata;
}): ForeignEntry[] {
  const menu = pick(metadata, 'menu', 'menus');
  const all =
    typeof menu === 'string' ? [menu] : isList(menu) ? menu.map(asText) : Object.keys(asObject(menu));
  return all.slice(0, 1).map((name) => ({
    text: asText(pick(asObject(pick(asObject(menu), name)), 'name')) || title,
    place: /foot|bottom/i.test(name) ? 'footer' : undefined,
    target: { article: path },
  }));
}

function readFriends(value: unknown, group = ''): ForeignFriend[] {
  if (isList(value)) return value.flatMap((each) => readFriends(each, group));
  const fields = asObject(value);
  const text = (...names: string[]): string | undefined => asText(pick(fields, ...names)) || undefined;
  const [name, address] = [text('name', 'title', 'nickname'), text('link', 'url', 'href', 'site')];
  if (name === undefined || address === undefined) {
    const own = text('class_name', 'group', 'name', 'title') ?? group;
    return Object.entries(fields).flatMap(([key, each]) =>
      typeof each === 'object' ? readFriends(each, own || (isList(each) ? key : '')) : [],
    );
  }
  return [
    {
      name,
      address,
      description: text('descr', 'description', 'desc', 'intro', 'info'),
      logo: text('avatar', 'logo', 'image', 'img', 'icon'),
      group: group || undefined,
      feed: text('rss', 'feed', 'atom'),
    },
  ];
}

/** Returns a copy; null for a value that contains itself, as aliases of YAML may, or is too deep. */
function treeOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return null;
  }
}

/** Menus and links to friends in the settings and data of a generator, its themes included. */
export function readSiteData({ kind, root, settings }: Pick<Generator, 'kind' | 'root' | 'settings'>) {
  const config = settings ?? {};
  const theme = asText(pick(config, 'theme'));
  const themes = [`_config.${theme}.yml`, `source/_data/${theme}.yml`, `themes/${theme}/_config.yml`];
  const read = (path: string): unknown => (existsSync(join(root, path)) ? readData(join(root, path)) : null);
  const ofThemes = kind === 'hexo' && theme !== '' ? themes.map((path) => asObject(read(path))) : [];
  const menu = [...ofThemes, config].map((each) => pick(each, 'menu', 'menus', 'navigation'));
  const files = FOLDERS.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder)).map((name) => ({ name, path: join(folder, name) }))
      : [],
  );
  const dataOf = (pattern: RegExp): unknown[] =>
    files.filter(({ name }) => pattern.test(name)).map(({ path }) => read(path));
  const pages = pick(config, 'header_pages');
  const chosen = menu.find((each) => each !== undefined && each !== null) ?? dataOf(NAVIGATION);
  return {
    navigation: readEntries(treeOf(chosen)),
    friends: readFriends(treeOf(dataOf(FRIENDS))),
    headerPages: asTexts(pages),
  };
}
