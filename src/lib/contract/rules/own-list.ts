/** Sort orders of an author's article list: titles ascending, all others descending. */
export const OWN_SORTS = ['create_time', 'update_time', 'title', 'read_num', 'comment_num'] as const;
export type OwnSort = (typeof OWN_SORTS)[number];

/**
 * Filters of that list: `scheduled` for publication; `changed` with an unpublished revision; `unpublished`
 * never published; `withdrawn` after publication.
 */
export const OWN_STATES = ['pinned', 'scheduled', 'changed', 'unpublished', 'withdrawn'] as const;
export type OwnState = (typeof OWN_STATES)[number];

/** Filters for pictures: shown somewhere; only in earlier versions; unused. */
export const PICTURE_STATES = ['used', 'history', 'unused'] as const;
export type PictureState = (typeof PICTURE_STATES)[number];
