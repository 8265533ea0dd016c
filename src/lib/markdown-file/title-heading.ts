import type { Heading } from './inspect.ts';

/** Headings of a first section, which never tell what an article is about. */
const SECTION =
  /^(?:前言|引言|序言?|导[语读言]|简介|介绍|目录|背景|概[述要览]|摘要|正文|introduction|preface|overview|contents|toc)$/i;
/** Share of pairs of characters that two spellings of a title have in common. */
const MIN_LIKENESS = 0.5;

/**
 * Returns the heading that is the title of a text: the first of level 1, if it is like the name of the file,
 * or the only one of its level and before all others. Several of them are sections.
 */
export function titleHeading(headings: readonly Heading[], name: string): Heading | null {
  const [first, ...others] = headings.filter(({ level }) => level === 1);
  if (first === undefined || first.text === '') return null;
  if (isLike(first.text, name)) return first;
  return others.length === 0 && headings[0] === first && !SECTION.test(lettersOf(first.text)) ? first : null;
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

function isLike(heading: string, name: string): boolean {
  const [one, other] = [lettersOf(heading), lettersOf(name)];
  if (one === other || (other.length > 1 && one.includes(other))) return true;
  const [pairs, others] = [pairsOf(one), pairsOf(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * shared) / (pairs.size + others.size) >= MIN_LIKENESS;
}

const pairsOf = (text: string): Set<string> =>
  new Set(Array.from({ length: text.length - 1 }, (_, index) => text.slice(index, index + 2)));
