/**
 * A line that other tools read as a heading although no space follows its signs: `##小节`, `###1.1 步骤`. A
 * single sign may also begin `#include`, a tag, or a topic between two signs.
 */
const TIGHT = /^ {0,3}(#{2,6}(?=[\p{L}\p{N}（《“【「])|#(?=[\p{Script=Han}（《“【「][^#\n]*$))(?!#)[^\n]*/gmu;

/** Finds such lines: `at` is where the space is missing, `end` the end of the line. */
export const findTightHeadings = (text: string): { start: number; at: number; end: number }[] =>
  [...text.matchAll(TIGHT)].map(({ 0: line, 1: signs = '', index }) => {
    const start = index + line.indexOf('#');
    return { start, at: start + signs.length, end: index + line.length };
  });
