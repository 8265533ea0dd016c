import type { ArticlePage, Site } from '../../lib/blog/blog.ts';
import { ogPicturePath } from '../../lib/contract/rules/paths.ts';
import type { User } from '../../lib/contract/entities.ts';
import { licenceOf } from '../article/licence-of.ts';
import { articleUrl, avatarUrl, homeUrl, userUrl } from '../../lib/shared/urls.ts';

/**
 * Returns the absolute address of the Open Graph image: the cover, or a generated image of the article's
 * title or the site's name. Null if the site's origin is unknown.
 * @param shown `id` belongs to a public article
 */
export const ogImageOf = (
  { id, cover }: { id?: string | undefined; cover?: string | undefined },
  site: Pick<Site, 'origin'>,
): string | null => (site.origin === '' ? null : site.origin + (cover || ogPicturePath(id)));

/** Website and links of a user. */
export const linksOf = ({ website, profile_links = [] }: User): string[] =>
  website === undefined ? profile_links : [website, ...profile_links];

/** Returns the address without its scheme, as browsers show it: names in other scripts as punycode. */
export function shownLink(address: string): string {
  const { host, pathname, search } = new URL(address);
  return host.replace(/^www\./, '') + (pathname + search).replace(/\/$/, '');
}

export type Facts = { readonly '@type': string } & Readonly<Record<string, unknown>>;

/** Serialises facts as JSON that is safe in a script element; returns '' for an empty list. */
export function jsonLd(facts: readonly Facts[]): string {
  if (facts.length === 0) return '';
  return (
    JSON.stringify({ '@context': 'https://schema.org', '@graph': facts })
      // `<` could start an end tag or a comment; \u003c is plain text (SECURITY.md 1).
      .replaceAll('<', '\\u003c')
      // Line terminators in old JavaScript.
      .replaceAll('\u2028', '\\u2028')
      .replaceAll('\u2029', '\\u2029')
  );
}

const person = (username: string, name: string, { origin }: Site): Facts => ({
  '@type': 'Person',
  name,
  ...(name === username ? {} : { alternateName: username }),
  url: origin + userUrl(username),
});

export function articleFacts(article: ArticlePage, site: Site): Facts {
  const url = site.origin + articleUrl(article.id, article.address);
  const licence = licenceOf(article, site)?.url;
  const image = ogImageOf(article, site);
  return {
    '@type': 'BlogPosting',
    headline: article.title,
    description: article.summary,
    ...(image === null ? {} : { image }),
    datePublished: article.createTime,
    dateModified: article.updateTime,
    inLanguage: 'zh-CN',
    keywords: article.tags,
    url,
    mainEntityOfPage: url,
    author: person(article.author, article.authorName, site),
    ...(article.source ? { isBasedOn: article.source } : {}),
    ...(licence ? { license: licence } : {}),
    publisher: { '@type': 'Organization', name: site.title, url: site.origin },
  };
}

/** A step in the breadcrumbs; `path` has no origin. */
export interface Step {
  name: string;
  path: string;
}

/**
 * Breadcrumbs, starting at the front page; the last step of `way` is the page itself. See Breadcrumbs.astro.
 */
export const breadcrumbFacts = (way: readonly Step[], site: Site): Facts => ({
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: '首页', path: homeUrl() }, ...way].map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: site.origin + path,
  })),
});

export const profileFacts = (user: User, articles: number, site: Site): Facts => ({
  '@type': 'ProfilePage',
  dateCreated: user.create_time,
  mainEntity: {
    ...person(user.username, user.display_name ?? user.username, site),
    identifier: user._id,
    ...(user.bio === '' ? {} : { description: user.bio }),
    ...(linksOf(user).length === 0 ? {} : { sameAs: linksOf(user) }),
    ...(user.avatar === '' ? {} : { image: site.origin + avatarUrl(user.username, user.avatar) }),
    agentInteractionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/WriteAction',
      userInteractionCount: articles,
    },
  },
});

export const siteFacts = (site: Site): Facts => ({
  '@type': 'WebSite',
  name: site.title,
  description: site.description,
  url: `${site.origin}/`,
  inLanguage: 'zh-CN',
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${site.origin}${homeUrl()}?keywords={keywords}` },
    'query-input': 'required name=keywords',
  },
});
