import { useEffect, useState } from 'react';
import { articleUrl, tagUrl, userUrl } from '../../components/urls.ts';
import type { Suggestions } from '../../lib/contract/entities.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { call } from '../../lib/stores/api.ts';

/** A page to go to, under the heading of its kind. */
export interface Suggestion {
  kind: '文章' | '标签' | '作者';
  text: string;
  href: string;
}

/** DESIGN.md §4. */
const PAUSE_MS = 100;
const NONE: readonly Suggestion[] = [];

/**
 * What is suggested for `typed` once nothing was typed for 100 ms; of several answers only the last. Nothing
 * for white space, offline, or where the server knows no suggestions: whoever types is not disturbed.
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
    }, PAUSE_MS);
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
