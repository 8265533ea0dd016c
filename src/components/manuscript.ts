// @unocss-include: classes are found in templates otherwise
import { markup } from './markup.ts';

/**
 * Manuscript paper (稿纸) as markup: one character of `text` a cell, the rest of `cells` left blank. Decoration: say the same in text
 * beside it.
 */
export function manuscript(text: string, cells: number, size: 'small' | 'large' = 'small'): string {
  const characters = Array.from(text);
  const [sheet, cell] =
    size === 'large'
      ? ['grid-cols-5 gap-y-1 w-80', 'h-16 text-[2rem] font-600']
      : ['grid-flow-col w-max py-1 border-0 border-y border-solid border-line', 'w-9 h-9'];
  const looks = `grid place-items-center ml--px border border-solid border-line leading-none ${cell}`;
  const draw = (character: string) => markup`<span class="${looks}">${character}</span>`;
  const drawn = characters.map(draw).join('') + draw('').repeat(cells - characters.length);
  return `<div class="grid max-w-full pl-px ${sheet}" aria-hidden="true">${drawn}</div>`;
}

const BLANK = manuscript('', 7);

/** What stands where there is nothing yet: blank manuscript paper and a sentence that helps, as markup. */
export const nothingYet = (message: string): string =>
  BLANK + markup`<p class="mt-5 text-soft">${message}</p>`;
