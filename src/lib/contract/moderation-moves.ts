import { WITHHELD_STATES } from './rules/moderation.ts';

/**
 * States of an article or comment.
 * - shown: visible to its audience
 * - held: pending
 * - hidden: hidden by staff or a ban
 * - deleted: refused by staff; an article is then in its author's trash
 * Drafts, secret articles, and articles in the trash keep their state.
 */
export const MODERATION_STATES = ['shown', ...WITHHELD_STATES] as const;
export type ModerationState = (typeof MODERATION_STATES)[number];

type Outcomes = Readonly<Record<ModerationState, ModerationState>>;

const UNCHANGED: Outcomes = { shown: 'shown', held: 'held', hidden: 'hidden', deleted: 'deleted' };
const PENDING: Outcomes = { ...UNCHANGED, shown: 'held' };
const always = (state: ModerationState): Outcomes => ({
  shown: state,
  held: state,
  hidden: state,
  deleted: state,
});

/**
 * The state after each action of each actor, by the state before. Only staff can release an item: an author's
 * save never makes a withheld item public, even if no rule matches. A refused text is not stored.
 */
export const MODERATION_MOVES = {
  /**
   * `save`: any change that the rules allow. `remove`: to the trash. `recover`: from the trash.
   * `resubmit`: an article that staff refused or hid returns to the queue, also when its author publishes
   * another text.
   */
  author: {
    save: UNCHANGED,
    remove: UNCHANGED,
    recover: { ...UNCHANGED, deleted: 'hidden' },
    resubmit: { ...UNCHANGED, hidden: 'held' },
  },
  /** The word list, the policy for new authors, and the checks for repetition, links and floods. */
  rule: { hold: PENDING, refuse: UNCHANGED },
  /** The service at MODERATION_URL. */
  outside: { show: UNCHANGED, hold: PENDING, refuse: UNCHANGED },
  /** Bans use the same actions. */
  staff: {
    hide: always('hidden'),
    restore: always('shown'),
    delete: always('deleted'),
    hold: always('held'),
  },
} as const satisfies Record<string, Record<string, Outcomes>>;

type Moves = typeof MODERATION_MOVES;
export type ModerationActor = keyof Moves;

export function moved<A extends ModerationActor>(
  actor: A,
  action: keyof Moves[A],
  state: ModerationState,
): ModerationState {
  return (MODERATION_MOVES[actor][action] as Outcomes)[state];
}
