// @unocss-include: classes are found in templates otherwise
/** The mark of 墨页: a page of ink, a drop of light in it, a vermilion seal. The same drawing as public/logo.svg, in theme colours. */
export const mark = [
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">',
  '<path class="fill-ink" d="M7 2h13l7 7v19a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2Z"></path>',
  '<path class="fill-paper" d="M14 7.5c2.6 4 5 6.6 5 9.6a5 5 0 0 1-10 0c0-3 2.4-5.6 5-9.6Z"></path>',
  '<path class="fill-soft" d="M20 2l7 7h-6a1 1 0 0 1-1-1Z"></path>',
  '<path class="fill-vermilion" d="M19.5 21.5h5v5h-5Z"></path></svg>',
].join('');
