import type { ArticlePage, Site } from '../lib/blog/blog.ts';
import { licenceOf } from './licence-of.ts';
import { articleUrl, userUrl } from './urls.ts';

/** Facts about an article for search engines: JSON that may stand in a script element. */
export function articleJsonLd(article: ArticlePage, site: Site): string {
  const url = site.origin + articleUrl(article.id);
  const licence = licenceOf(article, site)?.url;
  const facts = {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: article.title,
    description: article.summary,
    datePublished: article.createTime,
    dateModified: article.updateTime,
    inLanguage: 'zh-CN',
    keywords: article.tags,
    url,
    mainEntityOfPage: url,
    author: { '@type': 'Person', name: article.author, url: site.origin + userUrl(article.author) },
    ...(article.source ? { isBasedOn: article.source } : {}),
    ...(licence ? { license: licence } : {}),
    publisher: { '@type': 'Organization', name: site.title, url: site.origin },
  };
  // There `<` could begin its end tag or a comment; as \u003c it is only text (SECURITY.md 1).
  return JSON.stringify(facts).replaceAll('<', '\\u003c');
}
