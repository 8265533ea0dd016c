// @unocss-include: classes are found in templates otherwise
import { icons } from './icons.ts';

/**
 * What stands in a `button.theme-switch`, which changes between the light and the dark theme before any island
 * (layouts/page-script.ts): a sign for each theme, and what pressing it does, in words that are seen or only heard.
 */
export const themeSigns = { silent: signs(' class="sr-only"'), named: signs('') };

function signs(words: string): string {
  const toDark = `<span class="to-dark">${icons.moon}<span${words}>切换到深色主题</span></span>`;
  return `${toDark}<span class="to-light">${icons.sun}<span${words}>切换到浅色主题</span></span>`;
}
