import type { Shape } from './people.ts';
import { diceOf, idAt, type Dice } from './random.ts';

export type Row = Record<string, string | number | null | Uint8Array>;
/** Adds a row to a table. */
export type Put = (table: string, row: Row) => void;

/** State of an article; shares in thousandths. Most are public. */
const STATES = [
  ['draft', 20],
  ['secret', 20],
  ['held', 3],
  ['hidden', 2],
  ['trash', 5],
  ['deleted', 1],
] as const;
export type State = (typeof STATES)[number][0] | 'public';

/** An article's facts that other articles and comments need; cheap to compute for any index. */
export interface Facts {
  index: number;
  id: string;
  state: State;
  author: number;
  time: number;
  /** Continues the random numbers of the article. */
  dice: Dice;
}

export function factsOf(index: number, { articles, authors, from, to, seed }: Shape): Facts {
  const dice = diceOf(seed, index);
  const step = (to - from) / articles;
  // Whole seconds in strictly rising order.
  const time = Math.floor((from + (index + dice.next() / 2) * step) / 1000) * 1000;
  return {
    index,
    id: idAt(time, index),
    state: stateFrom(dice),
    author: dice.skewed(authors, 2),
    time,
    dice,
  };
}

function stateFrom(dice: Dice): State {
  let left = dice.next() * 1000;
  for (const [state, share] of STATES) {
    left -= share;
    if (left < 0) return state;
  }
  return 'public';
}
