import type { articleFromHtml, ArticleOptions } from '../../markdown/from-html/article.ts';

/**
 * Converts HTML to markdown; returns it unchanged if it nests too deeply for the stack.
 * @param convert `articleFromHtml` or `commentFromHtml`
 */
export async function toMarkdown(convert: typeof articleFromHtml, html: string, options: ArticleOptions) {
  try {
    return { ...(await convert(html, options)), isTooDeep: false };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { markdown: html, lostPictures: 0, isTooDeep: true };
  }
}
