import { useState } from 'react';
import { relativeTime } from '../../lib/relative-time.ts';

// Swedish writes dates as ISO 8601 does: 2026-11-21 09:05.
const LOCALE = 'sv-SE';
let format: Intl.DateTimeFormat | undefined;

/** An instant as how long ago it was; the minute, in the blog's time zone, shows on hover. The page script lets it grow older. */
export function Time({ iso }: { iso: string }) {
  const minute = minuteOf(iso);
  const [now] = useState(() => Date.now());
  return (
    <time dateTime={iso} title={minute} data-relative>
      {relativeTime(Date.parse(iso), minute, now)}
    </time>
  );
}

/** Day and minute of an ISO 8601 instant in the blog's time zone, as components/time.ts prints them on the server. */
export function minuteOf(iso: string): string {
  format ??= new Intl.DateTimeFormat(LOCALE, {
    timeZone: document.documentElement.dataset['zone'],
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(new Date(iso));
}
