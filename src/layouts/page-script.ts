/**
 * What every page does without islands: theme switch, relative times, header on scroll, loading sign, search
 * field. Inlined into the page, which has 2.5 KB for all its scripts (DESIGN.md §5): it shares no module with
 * an island, or it would be a file of its own.
 */
import { relativeTime } from '../lib/relative-time.ts?page';

type Timer = ReturnType<typeof setTimeout>;
type SearchForm = HTMLFormElement & { keywords?: HTMLInputElement };

const { dataset } = document.documentElement;

// Theme. What the switch is called follows from the theme, in chrome.css.
addEventListener('storage', () => (dataset['theme'] = localStorage['theme'] as string));
addEventListener('click', ({ target }) => {
  // In this order: a browser that refuses storage keeps the theme for this page at least.
  if ((target as Element).closest('.theme-switch'))
    localStorage['theme'] = dataset['theme'] = dataset['theme'] === 'dark' ? 'light' : 'dark';
});

// Relative times; those that islands draw grow older here too. An author's own `<time>` cannot carry the
// attribute (markdown/schema.ts).
const showTimes = () => {
  for (const time of document.querySelectorAll<HTMLTimeElement>('[data-relative]'))
    time.textContent = relativeTime(Date.now() - Date.parse(time.dateTime), time.title);
};
showTimes();
setInterval(showTimes, 60_000);

// Past 500 px the header is away on the way down, back on the way up; chrome.css keeps it while it is in use,
// and shows the link to the top there. Nearer to the top it is neither.
let last = scrollY;
let pause: Timer | undefined;
addEventListener('scroll', () => {
  pause ??= setTimeout(() => {
    // It makes texts of them.
    dataset['away'] = (scrollY > 500 ? scrollY > last : '') as string;
    last = scrollY;
    pause = undefined;
  }, 300);
});

// Loading sign, while the page is being left; src/islands/loading.ts says it of calls. Browsers that cannot
// tell have their own.
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

// Search: `/` leads to its field, where that is hidden by way of the menu. White space asks for nothing, and
// an Enter that an input method has chooses a word (see islands/ui/composition.ts; no key code is looked at,
// because Safari's comes in that moment).
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
    // What is hidden takes no focus.
    inHeader?.focus();
    inMenu?.focus();
    event.preventDefault();
  }
});
addEventListener('submit', (event) => {
  if ((event.target as SearchForm).keywords?.value.trim() === '') event.preventDefault();
});
