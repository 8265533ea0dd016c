import { Problem } from '../../markdown-file/problem.ts';
import { wordsOf } from '../../markdown/from-html/article.ts';
import type { SourceOptions } from '../site/foreign-site.ts';
import { createAttachments } from './attachments.ts';
import { ANONYMOUS, guestKey, readComment } from './comments.ts';
import { addMenuItems, type MenuItem } from './menus.ts';
import { isArticle, readItem, type Item } from './item.ts';
import { readChannel, textIn, type XmlElement } from './xml.ts';
import { MIB } from '../../contract/rules/units.ts';

export interface WpAuthor {
  id: string;
  login: string;
  name: string;
  email: string;
}

export interface WpTerm {
  name: string;
  description: string;
  /** Slug of the parent category; '' at the top. */
  parent: string;
}

/** Someone who commented without being an author of the site. */
interface Guest {
  name: string;
  created: number;
  /** Comments with the address of a site. */
  sites: number;
}

/** Data of an export that stays in memory: everything except texts of posts and comments. */
export type Index = Awaited<ReturnType<typeof scan>>;

const MAX_SHARED_CHARACTERS = 32 * MIB;

/**
 * Reads the export files completely, to verify them before anything is written.
 * @throws Problem for files that are incomplete, foreign, or without a blog
 */
export async function scan(paths: readonly string[], options: Pick<SourceOptions, 'pages'>) {
  const index = {
    title: '',
    sites: new Set<string>(),
    authors: new Map<string, WpAuthor>(),
    categories: new Map<string, WpTerm>(),
    tags: new Map<string, WpTerm>(),
    attachments: createAttachments(),
    shared: new Map<string, string>(),
    guests: new Map<string, Guest>(),
    types: new Map<string, number>(),
    statuses: { post: new Map<string, number>(), page: new Map<string, number>() },
    taxonomies: new Map<string, number>(),
    /** Names of categories and tags, and titles of pages, by id. */
    names: { terms: new Map<string, string>(), pages: new Map<string, string>() },
    menus: new Map<string, MenuItem[]>(),
    lostComments: { spam: 0, trash: 0, pingback: 0 },
    guestsWithSites: 0,
    commentsLeft: 0,
  };
  const commenters: Commenters = new Map();
  let shared = 0;
  for (const path of paths) {
    let entries = 0;
    for await (const element of readChannel(path)) {
      entries += 1;
      if (element.name !== 'item') {
        readHeader(index, element);
        continue;
      }
      const item = readItem(element);
      count(index.types, item.type);
      if (item.type === 'page') index.names.pages.set(item.id, item.title);
      addMenuItems(index.menus, item);
      if (item.type === 'attachment') index.attachments.add(item);
      if (item.type === 'wp_block' && (shared += item.content.length) < MAX_SHARED_CHARACTERS)
        index.shared.set(item.id, item.content);
      if (item.type === 'post' || item.type === 'page')
        readPost(index, commenters, item, isArticle(item, options));
    }
    if (entries === 0 || index.sites.size === 0)
      throw new Problem('文件里没有 WordPress 的站点信息，不是 WXR 导出文件');
  }
  addGuests(index, commenters);
  return index;
}

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

function readHeader(index: Index, element: XmlElement): void {
  const text = (name: string): string => textIn(element, name);
  switch (element.name) {
    case 'title':
      index.title ||= wordsOf(element.text);
      break;
    case 'wp:base_blog_url':
    case 'wp:base_site_url':
    case 'link':
      if (/^https?:\/\//i.test(element.text.trim())) index.sites.add(element.text.trim().replace(/\/+$/, ''));
      break;
    case 'wp:author': {
      const login = text('wp:author_login');
      const name = wordsOf(text('wp:author_display_name')) || login;
      index.authors.set(login, { id: text('wp:author_id'), login, name, email: text('wp:author_email') });
      break;
    }
    case 'wp:category':
      index.names.terms.set(text('wp:term_id'), wordsOf(text('wp:cat_name')));
      index.categories.set(text('wp:category_nicename'), {
        name: wordsOf(text('wp:cat_name')),
        description: wordsOf(text('wp:category_description')),
        parent: text('wp:category_parent'),
      });
      break;
    case 'wp:tag': {
      const name = wordsOf(text('wp:tag_name'));
      index.names.terms.set(text('wp:term_id'), name);
      index.tags.set(name, { name, description: wordsOf(text('wp:tag_description')), parent: '' });
      break;
    }
    case 'wp:term':
      readTerm(index, text('wp:term_taxonomy'), element);
      break;
  }
}

const SILENT = [
  'post_format',
  'nav_menu',
  'wp_theme',
  'wp_template_part_area',
  'link_category',
  'wp_pattern_category',
];

function readTerm(index: Index, taxonomy: string, element: XmlElement): void {
  if (taxonomy === 'category' || taxonomy === 'post_tag' || SILENT.includes(taxonomy)) return;
  if (textIn(element, 'wp:term_name') !== '') count(index.taxonomies, taxonomy);
}

/** Commenters by the id of their account (`0` without one), then by `guestKey`. */
type Commenters = Map<string, Map<string, Guest>>;

function readPost(index: Index, commenters: Commenters, item: Item, isTaken: boolean): void {
  const { type, status, creator, comments } = item;
  count(index.statuses[type as 'post' | 'page'], status);
  // Old exports name authors only here.
  if (creator !== '' && !index.authors.has(creator))
    index.authors.set(creator, { id: '', login: creator, name: creator, email: '' });
  for (const element of comments) {
    const comment = readComment(element);
    if (comment.lost) index.lostComments[comment.lost] += 1;
    else if (!isTaken) index.commentsLeft += 1;
    if (comment.lost || !isTaken) continue;
    const { name, created, url } = comment;
    const known = commenters.get(comment.userId) ?? new Map<string, Guest>();
    commenters.set(comment.userId, known);
    addGuest(known, guestKey(comment), { name: name || ANONYMOUS, created, sites: url === '' ? 0 : 1 });
  }
}

function addGuest(guests: Map<string, Guest>, key: string, { name, created, sites }: Guest): void {
  const known = guests.get(key) ?? { name, created: Infinity, sites: 0 };
  guests.set(key, { ...known, created: Math.min(known.created, created), sites: known.sites + sites });
}

/**
 * Takes commenters as guests whose accounts the export does not describe: it has the accounts of authors, but
 * not of readers.
 */
function addGuests(index: Index, commenters: Commenters): void {
  const authors = new Set([...index.authors.values()].map(({ id }) => id));
  for (const [userId, people] of commenters) {
    if (authors.has(userId)) continue;
    for (const [key, person] of people) {
      addGuest(index.guests, key, person);
      index.guestsWithSites += person.sites;
    }
  }
}
