import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { isGuessedFirst } from '../../lib/shared/password-guesses.ts';

/** Password strength: level 0 to 4, its label, and advice. */
export interface Strength {
  level: 0 | 1 | 2 | 3 | 4;
  word: string;
  advice: string;
}

const WORDS = ['很弱', '较弱', '一般', '较强', '很强'] as const;
const LONGER = '再长一些，或多连几个不相干的词';
const ADVICE = ['太容易被猜到', LONGER, LONGER, '不容易被猜到', '很难被猜到'] as const;

const WARNINGS: Record<string, string> = {
  straightRow: '键盘上连着的一排很容易被猜到',
  keyPattern: '键盘上的图形很容易被猜到',
  simpleRepeat: '像 aaa 这样的重复很容易被猜到',
  extendedRepeat: '像 abcabc 这样的重复很容易被猜到',
  sequences: '像 abc、6543 这样的顺序很容易被猜到',
  recentYears: '年份很容易被猜到',
  dates: '日期很容易被猜到',
  topTen: '这是最常见的密码之一',
  topHundred: '这是最常见的密码之一',
  common: '这是常见的密码',
  similarToCommon: '它和常见的密码很像',
  wordByItself: '单独一个词很容易被猜到',
  userInputs: '不要用用户名作密码',
};

// Further characters cannot make a password weaker, and estimating them takes time.
const MAX_ESTIMATED_CHARACTERS = 64;
const SITE_NAMES = ['moye', '墨页'];

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * Estimates how hard `password` is to guess for someone who knows the username. Only a hint, except that the
 * server refuses passwords that are guessed first.
 */
export function judgeStrength(password: string, username: string): Strength {
  const { score, feedback } = estimator.check(
    password.normalize('NFKC').slice(0, MAX_ESTIMATED_CHARACTERS),
    [username, ...SITE_NAMES].filter(Boolean),
  );
  const isRefused = isGuessedFirst(password, username);
  const level = isRefused ? 0 : score;
  const advice = (level < 3 ? WARNINGS[feedback.warning ?? ''] : undefined) ?? ADVICE[level];
  return { level, word: WORDS[level], advice: isRefused ? `${advice}，请换一个` : advice };
}
