import { memo, useState } from 'react';
import { dayOf, formatMinute } from '../../lib/shared/time.ts';
import { relativeTime } from '../../lib/shared/relative-time.ts';

interface Props {
  /** ISO 8601. */
  iso: string;
  /** Time zone of the site, `site.timeZone`. Required on the server; browsers read it from the page. */
  timeZone?: string;
}

/**
 * Relative time (docs/pages.md) with the exact minute on hover. The server renders the date, because a cached
 * page outlives 刚刚. The page script makes it relative and keeps it up to date.
 */
export const Time = memo(function Time({ iso, timeZone }: Props) {
  const minute = formatMinute(iso, timeZone);
  const [now] = useState(() => Date.now());
  const text = import.meta.env.SSR ? dayOf(minute) : relativeTime(now - Date.parse(iso), minute);
  // Hydration keeps the current text, which the page script may have changed.
  return (
    <time dateTime={iso} title={minute} data-relative="" suppressHydrationWarning>
      {text}
    </time>
  );
});
