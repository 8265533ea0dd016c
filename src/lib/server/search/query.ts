import { fold, foldForm } from './text/fold.ts';

const MAX_WORDS = 10;
const MAX_LOOSE_WORDS = 6;

/** Below this number of exact hits, looser ones are searched everywhere: a page. */
export const ENOUGH_EXACT = 10;
export const LOOSE_LIMIT = 100;

/** Returns the distinct folded words of `keywords` in order; at most 10, the rest is ignored. */
export const parseKeywords = (keywords: string): string[] => wordsOf(fold(keywords)).slice(0, MAX_WORDS);

/** Returns the words like `parseKeywords`, but in the characters in which they were written. */
export const parseForms = (keywords: string): string[] => wordsOf(foldForm(keywords)).slice(0, MAX_WORDS);

const wordsOf = (text: string): string[] => [...new Set(text.split(/\s+/u).filter((word) => word !== ''))];

/**
 * A subject of the question. `base`, all or part of `text`, is a weaker match: 线程 of 线程池, java of java8.
 */
export interface Term {
  text: string;
  base: string;
  weight: number;
}

// Words that say nothing about the subject.
const STOP_WORDS = new Set(
  (
    '什么 怎么 怎样 怎么样 怎么办 如何 为什么 为何 哪些 哪个 哪里 哪种 是否 可以 能否 可能 多少 几种 几个 一个 一些 一下 一种 这个 那个 ' +
    '这些 那些 这样 那样 这么 那么 这里 那里 我们 你们 他们 它们 自己 没有 不是 就是 还是 或者 以及 因为 所以 如果 但是 而且 并且 然后 ' +
    '进行 关于 对于 有关 请问 到底 究竟 的话 应该 需要 有没有 是不是 会不会 能不能 求助 谢谢 ' +
    '的 了 吗 呢 吧 啊 呀 么 和 与 及 或 是 在 有 把 被 让 给 对 个 种 要 会 能 也 都 就 还 又 再 很 更 最 这 那 我 你 他 它 请 之 为 以 从 到 用 ' +
    'the a an of to in is are and or for on with how what why do does i'
  ).split(' '),
);

// Words of many titles, which describe the kind of text rather than its subject.
const WEAK_WORDS = new Set(
  (
    '详解 介绍 总结 原理 机制 实现 区别 不同 场景 方法 办法 问题 流程 过程 作用 特点 优缺点 优点 缺点 步骤 例子 示例 教程 入门 指南 面试 ' +
    '面试题 知识 基础 应用 使用 用法 解决 处理 设置 方案 方式 意思 含义 定义 概念 分析 理解 学习 比较 对比 选择 选型 情况 常见 常用 ' +
    '最佳 实践 实战 推荐 解释 说明 保证 避免 快速 区分 简单 高频 有用 重要 深入 浅谈 一文'
  ).split(' '),
);

const WEAK = 0.35;
const COMPOUNDED = 0.4;

/**
 * Returns the terms of `words` (folded), cut with `cut`. Skips question words, particles and punctuation;
 * appends a single character to the preceding word. If nothing remains, returns the words themselves.
 */
export function termsOf(words: readonly string[], cut: (text: string) => string[]): Term[] {
  const terms = new Map<string, Term>();
  for (const term of words.flatMap((word) => termsOfWord(word, cut)))
    if (!terms.has(term.text)) terms.set(term.text, term);
  return terms.size > 0 ? [...terms.values()] : words.map((text) => ({ text, base: text, weight: 1 }));
}

// A word of Latin letters and digits, with the punctuation of names such as c++ and node.js.
const RUNS = /[a-z0-9][a-z0-9+#._-]*|[^a-z0-9]+/g;

function termsOfWord(word: string, cut: (text: string) => string[]): Term[] {
  const terms: Term[] = [];
  let before: Term | null = null;
  for (const [run] of word.matchAll(RUNS)) {
    if (/^[a-z0-9]/.test(run)) {
      terms.push(...latinTerms(run));
      before = null;
      continue;
    }
    for (const piece of cut(run).map(fold)) {
      before = takePiece(terms, before, piece);
    }
  }
  return terms;
}

/** Adds a piece of a word to the terms; returns the term that a following single character joins. */
function takePiece(terms: Term[], before: Term | null, piece: string): Term | null {
  if (!/[\p{L}\p{N}\p{So}]/u.test(piece) || STOP_WORDS.has(piece)) return null;
  const isSingle = Array.from(piece).length === 1;
  if (isSingle && before) {
    before.text += piece;
    before.weight = Math.max(before.weight, 1) + COMPOUNDED;
    return before;
  }
  const weight = WEAK_WORDS.has(piece) ? WEAK : isSingle ? 0.7 : 1;
  const term = { text: piece, base: piece, weight };
  terms.push(term);
  return term;
}

function latinTerms(run: string): Term[] {
  if (STOP_WORDS.has(run)) return [];
  const parts = run.split(/[^a-z0-9]+/).filter((part) => part !== '');
  if (parts.length > 1 && parts.every((part) => part.length > 1)) return parts.flatMap(latinTerms);
  const [letters = ''] = /^[a-z]{2,}(?=\d+$)/.exec(run) ?? [];
  return [{ text: run, base: letters || run, weight: 1.2 }];
}

/**
 * Returns the words for a looser search: the 6 terms of the highest weight, without single characters and, if
 * possible, weak words. Empty when that is no looser than `words`.
 */
export function looseWords(words: readonly string[], terms: readonly Term[]): string[] {
  const long = terms.filter(({ base }) => Array.from(base).length > 1 && /[\p{L}\p{N}]/u.test(base));
  const strong = long.filter(({ weight }) => weight > WEAK);
  const useful = strong.length > 0 ? strong : long;
  const bases = [...new Set(useful.toSorted((a, b) => b.weight - a.weight).map(({ base }) => base))];
  if (bases.length === words.length && bases.every((base) => words.includes(base))) return [];
  return bases.slice(0, MAX_LOOSE_WORDS);
}

export function looseMinimum(count: number): number {
  return Math.floor(count / 2) + 1;
}

export function combinations(words: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return words.flatMap((word, index) =>
    combinations(words.slice(index + 1), size - 1).map((rest) => [word, ...rest]),
  );
}
