import { memo, useState } from 'react';
import { formatDay, formatMinute } from '../../components/time.ts';
import { relativeTime } from '../../lib/relative-time.ts';

interface Props {
  /** ISO 8601. */
  iso: string;
  /** Zone of the blog, `site.timeZone`. The server needs it; a browser has it from the page. */
  timeZone?: string;
}

/**
 * An instant as how long ago it was (DESIGN.md §4), the minute on hover. The server prints the day, since a
 * kept page outlives 刚刚; the page script makes it relative and lets it grow older.
 */
export const Time = memo(function Time({ iso, timeZone }: Props) {
  const minute = formatMinute(iso, timeZone);
  const [now] = useState(() => Date.now());
  const text = import.meta.env.SSR ? formatDay(iso, timeZone) : relativeTime(now - Date.parse(iso), minute);
  // Hydration keeps what stands there: the page script has been at it.
  return (
    <time dateTime={iso} title={minute} data-relative="" suppressHydrationWarning>
      {text}
    </time>
  );
});
