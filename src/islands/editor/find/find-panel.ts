import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import type { EditorState } from '@codemirror/state';
import {
  runScopeHandlers,
  type Command,
  type EditorView,
  type Panel,
  type ViewUpdate,
} from '@codemirror/view';

/** Maximum matches that are counted. */
const MAX_MATCHES = 9_999;

interface Match {
  from: number;
  to: number;
}

/** Returns the matches of a query, the first `MAX_MATCHES + 1`; none for an empty or invalid one. */
export function matchesOf(query: SearchQuery, state: EditorState): Match[] {
  const matches: Match[] = [];
  if (!query.valid) return matches;
  const cursor: Iterator<Match> = query.getCursor(state);
  for (let found = cursor.next(); !found.done && matches.length <= MAX_MATCHES; found = cursor.next())
    matches.push({ from: found.value.from, to: found.value.to });
  return matches;
}

/** Formats the selected match and the number of all, `3/17`; only the number if none is selected. */
export function countText(matches: readonly Match[], selected: Match): string {
  if (matches.length === 0) return '没有找到';
  const total = matches.length > MAX_MATCHES ? `${MAX_MATCHES}+` : String(matches.length);
  const at = matches.findIndex(({ from, to }) => from === selected.from && to === selected.to);
  return at < 0 ? `${total} 处` : `${at + 1}/${total}`;
}

/** Pause in typing before the matches are counted again, which takes some milliseconds in a long text. */
const DEBOUNCE_MS = 200;

/**
 * Panel to find and replace, with the number of matches. CodeMirror's own has no count and no room on phones.
 */
export function findPanel(view: EditorView): Panel {
  let query = getSearchQuery(view.state);
  let matches: readonly Match[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { dom, search, count, read } = createForm(view, query);

  const show = () => {
    const { main } = view.state.selection;
    count.textContent = query.search === '' ? '' : query.valid ? countText(matches, main) : '正则有误';
  };
  const countAgain = () => {
    clearTimeout(timer);
    matches = matchesOf(query, view.state);
    show();
  };
  dom.addEventListener('input', () => {
    const next = read();
    if (!next.eq(query)) view.dispatch({ effects: setSearchQuery.of(next) });
  });

  return {
    dom,
    top: true,
    mount() {
      countAgain();
      search.select();
    },
    update({ docChanged, selectionSet, transactions }: ViewUpdate) {
      const asked = transactions.flatMap(({ effects }) =>
        effects.filter((effect) => effect.is(setSearchQuery)),
      );
      const next = asked.at(-1)?.value;
      if (next) {
        query = next;
        if (search.value !== query.search) search.value = query.search;
        countAgain();
      } else if (docChanged) {
        clearTimeout(timer);
        timer = setTimeout(countAgain, DEBOUNCE_MS);
      } else if (selectionSet) show();
    },
    destroy: () => clearTimeout(timer),
  };
}

/** Creates the fields and buttons of the panel. `read` returns the query that they describe. */
function createForm(view: EditorView, query: SearchQuery) {
  const [search, replace] = [field('查找', query.search), field('替换为', query.replace)];
  // CodeMirror focuses the field with this attribute.
  search.setAttribute('main-field', 'true');
  const isExact = make('input', { type: 'checkbox', checked: query.caseSensitive });
  const isWord = make('input', { type: 'checkbox', checked: query.wholeWord });
  const isPattern = make('input', { type: 'checkbox', checked: query.regexp });
  const count = make('output', { className: 'find-count' });
  const button = (name: string, command: Command, text = name) => buttonOf(name, text, () => command(view));
  const dom = row(
    'find',
    row(
      'find-row',
      search,
      count,
      button('上一个', findPrevious, '↑'),
      button('下一个', findNext, '↓'),
      button('关闭', closeSearchPanel, '×'),
    ),
    row('find-row', replace, button('替换', replaceNext), button('全部替换', replaceAll)),
    row('find-row', choice('区分大小写', isExact), choice('整词', isWord), choice('正则', isPattern)),
  );
  dom.role = 'search';
  dom.ariaLabel = '查找和替换';
  dom.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const isEnter = event.key === 'Enter' && (event.target === search || event.target === replace);
    const command = event.target === replace ? replaceNext : event.shiftKey ? findPrevious : findNext;
    if (runScopeHandlers(view, event, 'search-panel') || (isEnter && command(view))) event.preventDefault();
  });
  const read = () =>
    new SearchQuery({
      search: search.value,
      replace: replace.value,
      caseSensitive: isExact.checked,
      wholeWord: isWord.checked,
      regexp: isPattern.checked,
      literal: true,
    });
  return { dom, search, count, read };
}

function buttonOf(name: string, text: string, run: () => void): HTMLButtonElement {
  const button = make(
    'button',
    { type: 'button', className: 'find-button', title: name, ariaLabel: name },
    text,
  );
  // Keeps the keyboard of a phone open.
  button.addEventListener('mousedown', (event) => event.preventDefault());
  button.addEventListener('click', run);
  return button;
}

const field = (label: string, value: string) =>
  make('input', {
    className: 'find-field',
    value,
    placeholder: label,
    autocomplete: 'off',
    ariaLabel: label,
    enterKeyHint: 'search',
  });

const choice = (text: string, input: HTMLInputElement) =>
  make('label', { className: 'find-choice' }, input, text);

const row = (className: string, ...children: HTMLElement[]) => make('div', { className }, ...children);

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
