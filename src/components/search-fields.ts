// @unocss-include: classes are found in templates otherwise
import { icons } from './icons.ts';
import { markup } from './markup.ts';

const LOOKS = [
  'w-full min-h-10 py-1 pl-3.5 pr-11 rounded border border-solid border-transparent bg-sunk text-base md:text-sm appearance-none',
  'transition-colors duration-150 focus:border-indigo focus:bg-raised focus:outline-none',
].join(' ');
const BEFORE = [
  '<label><span class="sr-only">搜索标题或内容</span><input type="search" name="keywords" placeholder="搜索标题或内容"',
  ` enterkeyhint="search" autocomplete="off" maxlength="200" class="${LOOKS}"`,
].join('');
const AFTER = [
  '></label><button type="submit" aria-label="搜索" class="absolute inset-y-0 right-0 w-11 inline-flex items-center justify-center',
  ` border-0 rounded bg-transparent text-soft cursor-pointer hover:text-indigo">${icons.search}</button>`,
].join('');

/** What stands in a search form (SearchForm.astro), as markup: its field, holding `keywords`, and its button. */
export const searchFields = (keywords = ''): string =>
  BEFORE + (keywords === '' ? '' : markup` value="${keywords}"`) + AFTER;
