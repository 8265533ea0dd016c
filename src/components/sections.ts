// @unocss-include: classes are found in templates otherwise
/** The sections of the site as the header's navigation shows them. */
const sections = [
  { href: '/home', text: '首页', under: '/home' },
  { href: '/tag/list', text: '标签', under: '/tag/' },
  // What readers have said to the author, and the author to them.
  { href: '/comment/list', text: '留言', under: '/comment/' },
  { href: '/lab/list', text: '实验室', under: '/lab/' },
  { href: '/changelog', text: '更新日志', under: '/changelog' },
];

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
