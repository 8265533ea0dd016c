// @unocss-include: classes are found in templates otherwise
import { takeGraphemes } from '../lib/markdown/graphemes.ts';
import { markup } from './markup.ts';
import { avatarUrl } from './urls.ts';

const LOOKS =
  'relative inline-grid flex-none place-items-center overflow-hidden rounded-full bg-wash text-indigo font-600 leading-none';
const SIZES = { 36: 'w-[36px] h-[36px] text-[15px]', 72: 'w-[72px] h-[72px] text-[28px]' };
// Sized by its bounds alone: with a width of its own Chromium paints the broken-image sign over the character.
const FILLS = 'absolute inset-0 min-w-full max-w-full min-h-full max-h-full object-cover';

/**
 * A user's picture over the first character of the name, which stays visible where there is no picture or it fails to load, as
 * markup. Decoration: the name always stands beside it.
 * @param file name of the picture's file, '' when the user has none; left out where only the name is known
 */
export function avatar(username: string, file: string | undefined, size: 36 | 72, looks = ''): string {
  const initial = markup`${takeGraphemes(username, 1)}`;
  const picture =
    file === ''
      ? ''
      : markup`<img src="${avatarUrl(username, file)}" alt="" loading="lazy" decoding="async" class="${FILLS}">`;
  return `<span class="${LOOKS} ${SIZES[size]} ${looks}" aria-hidden="true">${initial}${picture}</span>`;
}
