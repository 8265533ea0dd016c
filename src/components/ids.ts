/**
 * Ids of the elements of ours that links, labels and scripts name. An article stands in the same document and
 * its headings bring ids of their own (src/lib/markdown/heading-ids.ts), made of any words. Ours begin with
 * letters that no heading's id can hold: those of headings are lower-cased, those of an author's own HTML
 * begin with `user-content-`. Upper case, because it needs no escape in an address or a selector.
 */
export const ID_PREFIX = 'UI-';

export const MAIN_ID = 'UI-main';
export const MENU_ID = 'UI-menu';
export const ACCOUNT_ID = 'UI-account';
export const LOADING_ID = 'UI-loading';
export const COMMENTS_ID = 'UI-comments';
export const COMMENTS_TITLE_ID = 'UI-comments-title';
export const COMMENT_BOX_ID = 'UI-comment-box';
/** What an id of `commentId` begins with. */
export const COMMENT_PREFIX = 'UI-comment-';
export const SERIES_TITLE_ID = 'UI-series-title';
export const RELATED_TITLE_ID = 'UI-related-title';
export const WORTH_TITLE_ID = 'UI-worth-title';
export const MOST_READ_TITLE_ID = 'UI-most-read-title';
export const ARTICLE_TITLE_ID = 'UI-article-title';
export const TITLE_ERROR_ID = 'UI-title-error';
export const CONTENT_ERROR_ID = 'UI-content-error';
export const CONTENT_HELP_ID = 'UI-content-help';

/** Of a comment by its 24-digit id. */
export const commentId = (id: string) => COMMENT_PREFIX + id;

/** Of the form of a `comment`, an `answer` or a `change`, of which a page has one each, and of its note. */
export const boxId = (kind: string) => `UI-${kind}-box`;
export const boxNoteId = (kind: string) => `UI-${kind}-note`;

/** Of the list of names that a box offers, and of a name in it. */
export const peopleId = (kind: string) => `UI-${kind}-people`;
export const personId = (kind: string, at: number) => `UI-${kind}-person-${at}`;

/** Of the button that opens the box under a comment. */
export const answerButtonId = (id: string) => `UI-answer-${id}`;

/** Of the button that opens the box in which a comment is changed. */
export const changeButtonId = (id: string) => `UI-change-${id}`;

/** Of a version's title in the change log, such as 1.2.0. */
export const versionId = (version: string) => `UI-v${version}`;

/** Of a month's title in an archive, such as 2026-02. */
export const archiveMonthId = (month: string) => `UI-month-${month}`;

/** Of a year's title among an author's articles. */
export const yearId = (year: string | number) => `UI-year-${year}`;
