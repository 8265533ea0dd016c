let shown = '';

/** Puts the number of unread comments before the page's title: `(3) 标题`; takes it away again at 0. */
export function showInTitle(unread: number): void {
  // Whatever the page has called itself meanwhile stays.
  const title = document.title.startsWith(shown) ? document.title.slice(shown.length) : document.title;
  shown = unread > 0 ? `(${unread}) ` : '';
  if (document.title !== shown + title) document.title = shown + title;
}
