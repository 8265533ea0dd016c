/**
 * Script of every page, independent of islands: theme switch, text size, relative times, header on scroll,
 * loading indicator and search input. It is inlined; all scripts of a page may have 2.5 KB (docs/pages.md).
 * It must not share a module with an island, because it would then become a separate file.
 */
import { MINUTE_MS, relativeTime } from '../lib/shared/relative-time.ts?page';

type Timer = ReturnType<typeof setTimeout>;
type SearchForm = HTMLFormElement & { keywords?: HTMLInputElement };

// The same expression as in theme-script.ts, which compresses better.
const dataset = document.documentElement.dataset;

// Choices of theme, text size and line width, by the name of their button: each switch chooses its value, or
// the default again. The labels follow in chrome.css. Other open pages follow the theme only.
addEventListener('storage', () => (dataset['theme'] = localStorage['theme'] as string));
addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLButtonElement>('.theme');
  // In this order, so a browser that refuses storage at least changes this page.
  if (button)
    localStorage[button.name] = dataset[button.name] =
      dataset[button.name] === button.value ? '' : button.value;
});

// Relative times, also updated in islands. An author's `<time>` cannot have the attribute
// (markdown/schema.ts).
const showTimes = () => {
  document
    .querySelectorAll<HTMLTimeElement>('[data-relative]')
    .forEach((time) => (time.textContent = relativeTime(Date.now() - Date.parse(time.dateTime), time.title)));
};
showTimes();
setInterval(showTimes, MINUTE_MS);

// Past 500 px the header hides when scrolling down and returns when scrolling up. chrome.css keeps it while
// it is in use, and shows the link to the top there. Within the first 500 px neither applies.
let last = scrollY;
let pause: Timer | 0 = 0;
addEventListener('scroll', () => {
  pause ||= setTimeout(() => {
    // dataset converts values to strings.
    dataset['away'] = (scrollY > 500 ? scrollY > last : '') as string;
    last = scrollY;
    pause = 0;
  }, 300);
});

// Loading indicator while leaving the page; src/islands/loading.ts shows it for API calls. Browsers without
// the Navigation API only have their own indicator.
let patience: Timer | undefined;
const sign = document.querySelector('.loading') as HTMLElement;
const stay = () => {
  clearTimeout(patience);
  sign.textContent = '';
};
addEventListener('pageshow', stay);
window.navigation?.addEventListener('navigateerror', stay);
window.navigation?.addEventListener('navigate', ({ destination }) => {
  if (!destination.sameDocument) patience = setTimeout(() => (sign.textContent = '数据加载中'), 300);
});

// Search: `/` focuses the input, and opens the menu if the header's input is not displayed. Blank searches
// are not submitted. An Enter that belongs to an input method only selects a word (see
// ui/form/composition.ts; key codes are not checked because Safari sends the Enter just after the
// composition ends).
let endedAt = 0;
addEventListener('compositionend', ({ timeStamp }) => (endedAt = timeStamp));
addEventListener('keydown', (event) => {
  const { key } = event;
  const target = event.target as HTMLInputElement;
  if (target.name === 'keywords' && key === 'Enter' && (event.isComposing || event.timeStamp - endedAt < 100))
    event.preventDefault();
  if (key === '/' && !event.ctrlKey && !event.metaKey && !target.matches(':read-write')) {
    const [inHeader, inMenu] = document.querySelectorAll<HTMLInputElement>('[name=keywords]');
    if (!inHeader?.offsetParent) inMenu?.closest<HTMLElement>('[popover]')?.togglePopover(true);
    // Hidden inputs ignore focus.
    inHeader?.focus();
    inMenu?.focus();
    event.preventDefault();
  }
});
addEventListener('submit', (event) => {
  if ((event.target as SearchForm).keywords?.value.trim() === '') event.preventDefault();
});
