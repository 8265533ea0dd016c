/**
 * What every page does without islands: theme switch, relative times, header on scroll, loading sign, search field. Inlined into the
 * page, which has 2.5 KB for all its scripts (DESIGN.md §5): it shares no module with an island, or it would be a file of its own.
 */
import { ID_PREFIX, LOADING_ID } from '../components/ids.ts?page';
import { relativeTime } from '../lib/relative-time.ts?page';

type Timer = ReturnType<typeof setTimeout>;

const { dataset } = document.documentElement;

// Theme. What the switch is called follows from the theme, in chrome.css.
addEventListener('storage', () => (dataset['theme'] = localStorage['theme'] as string));
addEventListener('click', ({ target }) => {
  // In this order: a browser that refuses storage keeps the theme for this page at least.
  if ((target as Element).closest('.theme-switch'))
    localStorage['theme'] = dataset['theme'] = dataset['theme'] === 'dark' ? 'light' : 'dark';
});

// Relative times; those that islands draw grow older here too. An author's own `<time>` cannot carry the attribute (markdown/schema.ts).
const showTimes = () => {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-relative]'))
    time.textContent = relativeTime(Date.parse(time.dateTime), time.title, Date.now());
};
showTimes();
setInterval(showTimes, 60_000);

// Header: away when scrolled down past 500 px, back on the way up. chrome.css keeps it while it is in use.
let last = scrollY;
let pause: Timer | undefined;
addEventListener('scroll', () => {
  pause ??= setTimeout(() => {
    dataset['away'] = String(scrollY > 500 && scrollY > last);
    last = scrollY;
    pause = undefined;
  }, 300);
});

// Where comments were before ids of ours had their prefix: links of that time lead on, unless the article has a heading of that name.
const follow = () => {
  const [, former = ''] = /^#(comment(?:s|-box|-[\da-f]{24}))$/.exec(location.hash) ?? [];
  if (former && !document.getElementById(former)) location.replace(`#${ID_PREFIX}${former}`);
};
follow();
addEventListener('hashchange', follow);

// Loading sign, while the page is being left; src/islands/loading.ts says it of calls. Browsers that cannot tell have their own.
let patience: Timer | undefined;
const say = (text: string) => ((document.getElementById(LOADING_ID) as HTMLElement).textContent = text);
const stay = () => {
  clearTimeout(patience);
  say('');
};
addEventListener('pageshow', stay);
window.navigation?.addEventListener('navigateerror', stay);
window.navigation?.addEventListener('navigate', ({ destination, downloadRequest }) => {
  if (!destination.sameDocument && downloadRequest === null) patience = setTimeout(say, 300, '数据加载中');
});

// Search: white space asks for nothing, and an Enter that an input method has chooses a word (see islands/ui/composition.ts).
let endedAt = 0;
addEventListener('compositionend', ({ timeStamp }) => (endedAt = timeStamp));
addEventListener('keydown', (event) => {
  const { target, keyCode } = event as { target: EventTarget | null; keyCode: number };
  const isTaken = event.isComposing || keyCode === 229 || event.timeStamp - endedAt < 100;
  if (isTaken && event.key === 'Enter' && (target as HTMLInputElement).name === 'keywords')
    event.preventDefault();
});
addEventListener('submit', (event) => {
  const { keywords } = event.target as HTMLFormElement & { keywords?: HTMLInputElement };
  if (keywords?.value.trim() === '') event.preventDefault();
});
