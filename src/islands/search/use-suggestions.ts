import { useEffect, useState } from 'react';
import { articleUrl, tagUrl, userUrl } from '../../lib/shared/urls.ts';
import type { Suggestions } from '../../lib/contract/entities.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { call } from '../../lib/stores/api.ts';

export interface Suggestion {
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
export function useSuggestions(typed: string): readonly Suggestion[] {
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

const listed = ({ titles, tags, authors }: Suggestions): readonly Suggestion[] => [
  ...titles.map(({ _id, title }) => ({ kind: '文章' as const, text: title, href: articleUrl(_id) })),
  ...tags.map((tag) => ({ kind: '标签' as const, text: tag, href: tagUrl(tag) })),
  ...authors.map((author) => ({ kind: '作者' as const, text: author, href: userUrl(author) })),
];
