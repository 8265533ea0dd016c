// @unocss-include: classes are found in templates otherwise
import { markup } from './markup.ts';
import { tagUrl } from './urls.ts';

/** The tags of an article, in the order its author gave them, as the items of a list: markup. */
export const tagLinks = (tags: readonly string[]): string => tags.map(tagLink).join('');

const tagLink = (tag: string) =>
  markup`<li class="max-w-full"><a href="${tagUrl(tag)}" class="tag-link" rel="tag"><bdi>#${tag}</bdi></a></li>`;
