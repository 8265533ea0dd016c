/** How an author's list of articles can be sorted: titles from the first, everything else from the most. */
export const OWN_SORTS = ['create_time', 'update_time', 'title', 'read_num', 'comment_num'] as const;
export type OwnSort = (typeof OWN_SORTS)[number];

/**
 * What articles of such a list can have in common: `pinned`; `scheduled` for publication; `changed` with an
 * unpublished revision; `unpublished` never, or `withdrawn` after they were.
 */
export const OWN_STATES = ['pinned', 'scheduled', 'changed', 'unpublished', 'withdrawn'] as const;
export type OwnState = (typeof OWN_STATES)[number];

/** Pictures that something shows, that only earlier texts show, and that nothing does. */
export const PICTURE_STATES = ['used', 'history', 'unused'] as const;
export type PictureState = (typeof PICTURE_STATES)[number];
