import type { ModerationState } from '../../lib/contract/moderation-moves.ts';

export const STATES: Readonly<Record<ModerationState, string>> = {
  shown: '公开',
  held: '待审',
  hidden: '已隐藏',
  deleted: '已删除',
};

export const stateIn = (show: string): { state: ModerationState } => ({
  state: show in STATES ? (show as ModerationState) : 'shown',
});
