import { OWN_SORTS } from '../../../lib/contract/rules/list-filters.ts';
import type { PlaceIn } from '../../ui/paged/place.ts';

/** `show` is the tab of the list, see pages/own-kinds.ts; `sort` is '' for the page's default order. */
export const OWN_FILTERS = { show: 'text', q: 'keywords', tag: 'text', sort: OWN_SORTS } as const;

export type OwnPlace = PlaceIn<typeof OWN_FILTERS>;
