import { wordsOf } from '../../markdown/from-html/article.ts';
import type { SourceOptions } from '../site/foreign-site.ts';
import { allIn, textIn, type XmlElement } from './xml.ts';

/** An `item` of WordPress's export: a post, page, attachment or anything else stored as a post. */
export type Item = ReturnType<typeof readItem>;

const LEFT = ['trash', 'auto-draft', 'inherit'];

export const isArticle = ({ type, status }: Item, { pages }: Pick<SourceOptions, 'pages'>): boolean =>
  (type === 'post' || (type === 'page' && pages)) && !LEFT.includes(status);

export function readItem(element: XmlElement) {
  const text = (name: string): string => textIn(element, name);
  const content = allIn(element, 'content:encoded')[0]?.text ?? '';
  return {
    id: text('wp:post_id'),
    /** `post`, `page`, `attachment`, or a plugin's type. */
    type: text('wp:post_type') || 'post',
    /** `publish`, `draft`, `pending`, `private`, `future`, `trash`, `inherit`, `auto-draft`. */
    status: text('wp:status') || 'publish',
    title: wordsOf(text('title')),
    slug: text('wp:post_name'),
    order: Number(text('wp:menu_order')) || 0,
    link: text('link'),
    guid: text('guid'),
    creator: text('dc:creator'),
    content: content.replace(/\r\n?/g, '\n'),
    excerpt: wordsOf(text('excerpt:encoded')),
    created: instantOf(text('wp:post_date_gmt'), text('wp:post_date'), text('pubDate')),
    updated: instantOf(text('wp:post_modified_gmt'), text('wp:post_modified')),
    hasPassword: text('wp:post_password') !== '',
    isSticky: text('wp:is_sticky') === '1',
    areCommentsClosed: text('wp:comment_status') === 'closed',
    parent: text('wp:post_parent'),
    attachmentUrl: text('wp:attachment_url'),
    terms: allIn(element, 'category').map(({ attributes, text: name }) => ({
      domain: attributes['domain'] ?? 'category',
      name: wordsOf(name),
      slug: attributes['nicename'] ?? '',
    })),
    meta: new Map(
      allIn(element, 'wp:postmeta').map((meta) => [
        textIn(meta, 'wp:meta_key'),
        textIn(meta, 'wp:meta_value'),
      ]),
    ),
    comments: allIn(element, 'wp:comment'),
  };
}

const DATE = /^(?!0000)(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/;

/**
 * Returns milliseconds; undefined if there is no valid time, as in unpublished drafts.
 * @param local time of the site; exports omit the zone, so +08:00 is assumed
 */
export function instantOf(gmt: string, local = '', written = ''): number | undefined {
  const at = (text: string, zone: string): number | undefined => {
    const [, day, time] = DATE.exec(text) ?? [];
    const instant = day === undefined ? NaN : Date.parse(`${day}T${time}${zone}`);
    return Number.isNaN(instant) ? undefined : instant;
  };
  const said = Date.parse(written);
  return at(gmt, 'Z') ?? (said > 0 ? said : undefined) ?? at(local, '+08:00');
}
