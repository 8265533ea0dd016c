/**
 * Ids of the site's own elements. An article in the same document has heading ids made of arbitrary words
 * (src/lib/markdown/syntax/heading-ids.ts). The site's ids start with upper-case letters, which cannot
 * collide: heading ids are lower-cased, and ids in an author's HTML start with `user-content-`. Upper case
 * needs no escaping in addresses and selectors.
 */
export const ID_PREFIX = 'UI-';

export const MAIN_ID = 'UI-main';
export const MENU_ID = 'UI-menu';
export const ACCOUNT_ID = 'UI-account';
export const LOADING_ID = 'UI-loading';
export const TOC_ID = 'UI-toc';
export const COMMENTS_ID = 'UI-comments';
export const COMMENTS_TITLE_ID = 'UI-comments-title';
export const COMMENT_BOX_ID = 'UI-comment-box';
export const COMMENT_PREFIX = 'UI-comment-';
export const SERIES_TITLE_ID = 'UI-series-title';
export const RELATED_TITLE_ID = 'UI-related-title';
export const WORTH_TITLE_ID = 'UI-worth-title';
export const TAGS_TITLE_ID = 'UI-tags-title';
export const SITE_TITLE_ID = 'UI-site-title';
export const MOST_READ_TITLE_ID = 'UI-most-read-title';
export const FRIEND_TITLE_ID = 'UI-friend-title';
export const ARTICLE_TITLE_ID = 'UI-article-title';
export const TITLE_ERROR_ID = 'UI-title-error';
export const CONTENT_ERROR_ID = 'UI-content-error';
export const CONTENT_HELP_ID = 'UI-content-help';

export const commentId = (id: string) => COMMENT_PREFIX + id;

/** Form of kind `comment`, `answer` or `change` (at most one each per page); `boxNoteId` is its note. */
export const boxId = (kind: string) => `UI-${kind}-box`;
export const boxNoteId = (kind: string) => `UI-${kind}-note`;

export const peopleId = (kind: string) => `UI-${kind}-people`;
export const personId = (kind: string, at: number) => `UI-${kind}-person-${at}`;

export const answerButtonId = (id: string) => `UI-answer-${id}`;

export const changeButtonId = (id: string) => `UI-change-${id}`;

export const versionId = (version: string) => `UI-v${version}`;

export const archiveMonthId = (month: string) => `UI-month-${month}`;

export const CHOSEN_NAME_ID = 'UI-chosen-name';
export const CHOSEN_NAME_HELP_ID = 'UI-chosen-name-help';
export const CHOSEN_INVITE_ID = 'UI-chosen-invite';

/** Parts of the page that describes the API; `name` as in the contract. */
export const apiGroupId = (place: number) => `UI-group-${place}`;
export const apiCallId = (name: string) => `UI-call-${name}`;
export const API_SCHEMAS_ID = 'UI-schemas';
export const apiSchemaId = (name: string) => `UI-schema-${name}`;
export const API_CODES_ID = 'UI-codes';
export const apiCodeId = (code: string) => `UI-code-${code}`;

export const yearId = (year: string | number) => `UI-year-${year}`;
