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

/** A filter of an author's article list, with the text for an empty list. */
export interface OwnKind {
  /** Value of `?show=` in the address; empty for all. */
  show: string;
  text: string;
  /** Text on a phone, where all filters share one row. */
  short?: string;
  empty: string;
  filter: { secret?: boolean; state?: OwnState };
}

export const ARTICLE_KINDS: readonly OwnKind[] = [
  { show: '', text: '全部', empty: '还没有写过文章。落笔写下第一篇吧。', filter: {} },
  { show: 'public', text: '公开', empty: '还没有公开的文章。', filter: { secret: false } },
  {
    show: 'secret',
    text: '私密',
    empty: '没有私密文章。写文章时打开「私密」，就只有自己看得到。',
    filter: { secret: true },
  },
  { show: 'pinned', text: '置顶', empty: '没有置顶的文章。', filter: { state: 'pinned' } },
  { show: 'scheduled', text: '定时', empty: '没有定时更新的文章。', filter: { state: 'scheduled' } },
  {
    show: 'changed',
    text: '有未发布的修改',
    short: '有修改',
    empty: '没有改了还没发布的文章。',
    filter: { state: 'changed' },
  },
];

export const DRAFT_KINDS: readonly OwnKind[] = [
  { show: '', text: '全部', empty: '没有草稿。写到一半的文章会留在这里。', filter: {} },
  { show: 'new', text: '没发布过', empty: '没有没发布过的草稿。', filter: { state: 'unpublished' } },
  { show: 'withdrawn', text: '撤回的', empty: '没有发布后又撤回的文章。', filter: { state: 'withdrawn' } },
  { show: 'scheduled', text: '定时', empty: '没有定时发布的草稿。', filter: { state: 'scheduled' } },
];

export const kindOf = (kinds: readonly OwnKind[], show: string | null): OwnKind | undefined =>
  kinds.find((kind) => kind.show === (show ?? '')) ?? kinds[0];

/** Filters of the console's list of tags: with public articles, without, without a description. */
export const TAG_KINDS = ['used', 'empty', 'undescribed'] as const;

/** Lists of /comment/list; `tab` is the parameter in the URL. */
export const COMMENT_TABS = [
  { tab: '', text: '我收到的' },
  { tab: 'sent', text: '我发起的' },
  { tab: 'notice', text: '通知' },
] as const;
