// @unocss-include: classes are found in templates otherwise
import { sections } from '../lib/blog/page-list.ts';

const drawn = new Map<string, string>();

/** The links of the navigation as seen from `pathname`, as markup; drawn once for each section, not for each page. */
export function sectionLinks(pathname: string): string {
  const current = sections.find(({ under }) => pathname.startsWith(under));
  const key = `${current?.href ?? ''} ${current?.href === pathname ? 'page' : 'true'}`;
  let links = drawn.get(key);
  if (links === undefined) {
    const mark = current?.href === pathname ? ' aria-current="page"' : ' aria-current="true"';
    links = sections
      .map((section) => {
        const state = section === current ? mark : '';
        return `<a href="${section.href}" class="nav-link"${state}>${section.text}</a>`;
      })
      .join('');
    drawn.set(key, links);
  }
  return links;
}
