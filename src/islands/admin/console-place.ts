import type { Asked } from '../ui/paged/use-paged-list.ts';

/** `show` is the tab of the list; empty for all items. */
export const CONSOLE_FILTERS = { show: 'text', q: 'keywords' } as const;

export type ConsoleAsked = Asked<typeof CONSOLE_FILTERS>;
