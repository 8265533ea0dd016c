import type { CheckState } from './use-human-check.ts';

const SAYS: Readonly<Record<CheckState, string>> = {
  off: '',
  working: '正在确认你不是机器人…',
  done: '已确认你不是机器人',
  failed: '没能确认你不是机器人，提交时会再试一次',
};

/** Status of the proof of work. The element always exists, so screen readers announce changes. */
export const CheckNote = ({ state }: { state: CheckState }) => (
  <output className="block text-sm text-soft not-empty:mb-3">{SAYS[state]}</output>
);
