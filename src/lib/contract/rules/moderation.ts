/** Actions for a text that contains a listed word; the strictest action of its words applies. */
export const WORD_ACTIONS = ['reject', 'hold', 'mask'] as const;
type WordAction = (typeof WORD_ACTIONS)[number];

/** Actions of the list: words inside an exception (`except`) are not found. */
export const LIST_ACTIONS = [...WORD_ACTIONS, 'except'] as const;
export type ListAction = (typeof LIST_ACTIONS)[number];

export const ACTION_NAMES: Readonly<Record<ListAction, string>> = {
  reject: '拒绝发布',
  hold: '先审后发',
  mask: '遮盖',
  except: '例外',
};

/** A word of the operator's list. Plain text, not a pattern. */
export interface ListedWord<A extends ListAction = WordAction> {
  word: string;
  category: string;
  action: A;
}

/** Limits of the list; lengths in characters. */
export const WORD_BOUNDS = { words: 50_000, word: [1, 50], category: [0, 20] } as const;

/**
 * `held` means pending; `hidden`, hidden by staff or a ban; `deleted`, deleted by staff and purged after 30
 * days.
 */
export const WITHHELD_STATES = ['held', 'hidden', 'deleted'] as const;
export type WithheldState = (typeof WITHHELD_STATES)[number];

const WITHHELD_NAMES: Readonly<Record<WithheldState, string>> = {
  held: '审核中',
  hidden: '已被隐藏',
  deleted: '已被删除',
};

/** Decisions of staff, by the state to which they lead. */
export const DECISION_NAMES: Readonly<Record<'shown' | WithheldState, string>> = {
  shown: '通过',
  held: '改为待审',
  hidden: '不予公开',
  deleted: '删除',
};

/**
 * Status text for the author of a withheld item, with the reason that staff gave, if any. `isRefused`: the
 * item was pending before staff hid it.
 */
export const withheldNote = (state: WithheldState, reason = '', isRefused = false): string =>
  (isRefused && state === 'hidden' ? '未通过' : WITHHELD_NAMES[state]) + (reason === '' ? '' : `：${reason}`);

/** Status text for the author of a change of an approved item, with the reason that staff gave, if any. */
export const changeNote = (state: 'held' | 'refused', reason: string): string =>
  `${state === 'held' ? '改动审核中' : '改动未通过'}${reason === '' ? '' : `：${reason}`}`;

export const HOLD_REASONS = {
  all: '全部先审后发',
  first: '新作者，先审后发',
  word: '含有词库中的词',
  links: '新作者，链接太多',
  repeat: '同样的话反复出现',
  flood: '短时间里写得太多',
  outside: '外部审核要求人工确认',
  unanswered: '外部审核没有回答',
  imported: '从别处导入，那里还没有通过审核',
  staff: '站务要求再审',
  resubmitted: '修改后重新提交',
  changed: '批准后有改动',
} as const;
export type HoldReason = keyof typeof HOLD_REASONS;
