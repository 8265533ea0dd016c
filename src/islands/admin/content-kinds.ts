import type { ContentState } from '../../lib/contract/staff-calls.ts';

/** What each state of an article or comment is called. */
export const STATES: Readonly<Record<ContentState, string>> = {
  shown: '公开',
  held: '待审',
  hidden: '已隐藏',
  deleted: '已删除',
};

/** The parts of the console's lists of articles and of comments. */
export const CONTENT_KINDS: readonly { show: string; text: string }[] = Object.entries(STATES).map(
  ([state, text]) => ({ show: state === 'shown' ? '' : state, text }),
);

/** The state that a part of the list is of. */
export const stateIn = (show: string): { state: ContentState } => ({
  state: show in STATES ? (show as ContentState) : 'shown',
});
