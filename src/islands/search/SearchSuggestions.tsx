import { memo, useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { fullNameOf } from '../../lib/contract/rules/full-name.ts';
import { articleUrl, tagUrl, userUrl } from '../../lib/shared/urls.ts';
import type { Suggestions } from '../../lib/contract/entities.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { call } from '../../lib/stores/api.ts';
import { isComposing } from '../ui/form/composition.ts';
import { IslandBoundary } from '../ui/IslandBoundary.tsx';

interface Suggestion {
  kind: '文章' | '标签' | '作者';
  text: string;
  href: string;
}

/** Delay while the reader types (docs/pages.md). */
const DEBOUNCE_MS = 100;
const NONE: readonly Suggestion[] = [];

/**
 * Suggestions for `typed` after a pause of 100 ms. Responses for earlier text are dropped. Returns none for
 * white space, offline, or if the server does not support suggestions; errors are not shown.
 */
function useSuggestions(typed: string): readonly Suggestion[] {
  const [found, setFound] = useState(NONE);
  const text = typed.trim();
  useEffect(() => {
    if (text === '' || !isOffered('suggest')) return undefined;
    const asking = new AbortController();
    const options = { quiet: true, background: true, signal: asking.signal };
    const show = (suggestions: readonly Suggestion[]) => {
      if (!asking.signal.aborted) setFound(suggestions);
    };
    const timer = setTimeout(() => {
      call('suggest', { q: text }, options).then(
        (answer) => show(listed(answer)),
        () => show(NONE),
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text]);
  return text === '' ? NONE : found;
}

const listed = ({ titles, tags, authors, author_names }: Suggestions): readonly Suggestion[] => [
  ...titles.map(({ _id, title, address }) => ({
    kind: '文章' as const,
    text: title,
    href: articleUrl(_id, address),
  })),
  ...tags.map((tag) => ({ kind: '标签' as const, text: tag, href: tagUrl(tag) })),
  ...authors.map((author) => ({
    kind: '作者' as const,
    text: fullNameOf(author, author_names),
    href: userUrl(author),
  })),
];

/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-static-element-interactions */
/* oxlint-disable jsx-a11y/interactive-supports-focus -- the field keeps the focus, and sees the keys */

const KINDS = ['文章', '标签', '作者'] as const;
const NOBODY = -1;

interface Props {
  /** The server-rendered field. It is never rendered again, so no typed text or composition is lost. */
  children?: ReactNode;
}

/** Suggestions below a search field, as a combobox. The field works by itself until this has loaded. */
export default memo(function SearchSuggestions({ children }: Props) {
  return (
    <IslandBoundary>
      <Combobox>{children}</Combobox>
    </IslandBoundary>
  );
});

function Combobox({ children }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(NOBODY);
  const suggestions = useSuggestions(isOpen ? typed : '');
  const isShown = isOpen && suggestions.length > 0;
  const optionId = (index: number) => `${id}${index}`;

  const type = (text: string) => {
    setTyped(text);
    setOpen(true);
    setActive(NOBODY);
  };
  // Text typed before hydration is searched with the next key, because it may still be composed.
  useEffect(() => {
    const field = fieldIn(box.current);
    if (!field) return;
    field.setAttribute('role', 'combobox');
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-expanded', String(isShown));
    const set = (name: string, value: string | null) =>
      value === null ? field.removeAttribute(name) : field.setAttribute(name, value);
    set('aria-controls', isShown ? id : null);
    set('aria-activedescendant', isShown && active !== NOBODY ? `${id}${active}` : null);
  }, [id, isShown, active]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (!isShown) {
      if (event.key === 'Escape') fieldIn(box.current)?.blur();
      return;
    }
    const chosen = suggestions[active];
    if (event.key === 'Escape') setOpen(false);
    else if (event.key === 'ArrowDown') setActive(stepped(active, 1, suggestions.length));
    else if (event.key === 'ArrowUp') setActive(stepped(active, -1, suggestions.length));
    else if (event.key === 'Enter' && chosen) location.assign(chosen.href);
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={box}
      onInput={({ nativeEvent, target }) => {
        // Ignores text that an input method is still composing.
        if (!nativeEvent.isComposing) type((target as HTMLInputElement).value);
      }}
      onCompositionEnd={({ target }) => type((target as HTMLInputElement).value)}
      onKeyDown={onKeyDown}
      onBlur={() => setOpen(false)}
    >
      {children}
      {isShown && (
        <div
          id={id}
          role="listbox"
          aria-label="搜索建议"
          className="suggestions"
          // Keeps focus in the field, and so the list open, during a click.
          onMouseDown={(event) => event.preventDefault()}
        >
          {KINDS.map((kind) => (
            <Group key={kind} kind={kind} {...{ suggestions, active, optionId }} />
          ))}
        </div>
      )}
      <span className="sr-only" role="status">
        {isShown ? `有 ${suggestions.length} 条建议，用上下箭头选择` : ''}
      </span>
    </div>
  );
}

interface GroupProps {
  kind: Suggestion['kind'];
  suggestions: readonly Suggestion[];
  active: number;
  optionId(index: number): string;
}

function Group({ kind, suggestions, active, optionId }: GroupProps) {
  const own = suggestions.flatMap((each, index) => (each.kind === kind ? { ...each, index } : []));
  if (own.length === 0) return null;
  return (
    <div role="group" aria-label={kind}>
      <div className="px-3.5 pt-2 text-xs text-soft" aria-hidden="true">
        {kind}
      </div>
      {own.map(({ text, href, index }) => (
        <a
          key={href}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          href={href}
          className="suggestion"
        >
          <bdi>{text}</bdi>
        </a>
      ))}
    </div>
  );
}

const fieldIn = (box: HTMLElement | null) => box?.querySelector<HTMLInputElement>('input[name="keywords"]');

/** Returns the next index in a direction, wrapping around through -1, which stands for the typed text. */
const stepped = (active: number, step: 1 | -1, count: number): number =>
  ((active + 1 + step + count + 1) % (count + 1)) - 1;
