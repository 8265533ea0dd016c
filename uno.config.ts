import { defineConfig, presetWind3, transformerVariantGroup, type Preflight } from 'unocss';
import { palette, paletteSheet } from './src/lib/shared/palette.ts';

const themes: Preflight = {
  getCSS: () =>
    paletteSheet(
      (declared) =>
        `:root[data-theme=dark]{${declared}}` +
        `@media (prefers-color-scheme:dark){:root[data-theme=system]{${declared}}}`,
    ),
};

const roles = Object.fromEntries(Object.keys(palette.light).map((role) => [role, `var(--${role})`]));

export default defineConfig({
  // Words of the code that are no classes here, with long rules.
  blocklist: ['container', 'filter', 'me', 'outline', 'px', 'to-light', 'transform'],
  presets: [
    presetWind3({
      preflight: 'on-demand',
      dark: { dark: '[data-theme=dark]', light: ':not([data-theme=dark])' },
    }),
  ],
  // Variant groups such as `md:(flex gap-2)`.
  transformers: [transformerVariantGroup()],
  preflights: [themes],
  theme: {
    colors: { ...roles, transparent: 'transparent', current: 'currentColor' },
    breakpoints: { sm: '640px', md: '768px', lg: '1024px', xl: '1200px' },
    fontFamily: { sans: 'var(--font-text)', title: 'var(--font-title)', mono: 'var(--font-code)' },
    borderRadius: { DEFAULT: 'var(--radius)', full: '9999px' },
    boxShadow: { float: '0 8px 28px var(--shadow)' },
    maxWidth: { column: 'var(--column)', wide: '72rem' },
  },
  shortcuts: {
    column: 'w-full max-w-column mx-auto px-5',
    'page-head':
      'pt-[calc(2.5rem*var(--rhythm))] pb-[calc(2rem*var(--rhythm))] md:(pt-[calc(4rem*var(--rhythm))] pb-[calc(2.5rem*var(--rhythm))])',
    'list-row': 'hairline py-[calc(26px*var(--rhythm))]',
    // Titles break at pauses (punctuation, spaces), those with a long part as usual (shared/title-runs.ts).
    'any-title': 'm-0 font-title font-700 leading-[1.35] break-keep',
    // 39 px, 28 px and 20 px; on phones 28 px, 22 px and 19 px.
    'page-title': 'any-title text-[1.75rem] md:text-[2.3rem] text-balance',
    'lead-title': 'any-title text-[1.4rem] md:text-[1.65rem] text-pretty',
    'card-title': 'any-title text-[1.18rem] text-pretty',
    'card-text': 'mt-1 text-[0.94rem] leading-[1.7] text-soft',
    // Slightly dimmed in the dark theme.
    picture: 'rounded object-cover bg-sunk [filter:var(--dim)]',
    'section-title': 'm-0 font-title text-base font-700 leading-snug',
    meta: 'text-sm text-soft leading-relaxed',
    // A row above its content; on wide screens a note in the margin.
    'margin-note': 'meta mb-1 lg:(absolute right-full w-36 mr-10 mb-0 text-right)',
    // The same next to a card. The card is at least as high as the note, so a float without width is enough.
    'card-note': 'meta mb-1 lg:(float-left w-36 -ml-46 mr-10 -mt-1 mb-0 text-right)',
    // The main figure of a note: a day, or a position in a series. The small text below it precedes it in the
    // DOM, so screen readers read it first.
    'note-figure': 'max-lg:hidden flex-col-reverse lg:flex text-[0.78rem] leading-snug tabular-nums',
    'note-number': 'text-[1.3rem] leading-[1.75rem] text-ink',
    'quiet-link': 'text-inherit no-underline hover:text-indigo transition-colors duration-150',
    'tag-link': 'quiet-link inline-block max-w-full min-w-6 py-0.5 [text-autospace:no-autospace]',
    filters: 'flex flex-wrap gap-x-2 sm:gap-x-6 text-sm',
    'nav-link':
      'inline-flex items-center min-h-11 text-soft no-underline hover:text-indigo transition-colors duration-150 [&[aria-current]]:text-ink [&[aria-current]]:font-600',
    button:
      'inline-flex items-center justify-center min-h-11 px-5 border-0 rounded bg-indigo text-reverse no-underline font-600 text-sm cursor-pointer hover:opacity-88 transition-opacity duration-150',
    'button-quiet':
      'inline-flex items-center justify-center gap-1 min-h-11 px-4 rounded border border-solid border-line bg-transparent text-ink no-underline text-sm cursor-pointer hover:border-indigo hover:text-indigo transition-colors duration-150',
    'button-danger': 'button bg-vermilion',
    'button-text':
      'inline-flex items-center min-h-11 px-1 border-0 rounded bg-transparent text-indigo cursor-pointer hover:underline',
    'icon-button':
      'inline-flex items-center justify-center w-11 h-11 p-0 border-0 rounded bg-transparent text-ink no-underline cursor-pointer hover:text-indigo transition-colors duration-150',
    // A word of the operator's list in a text that staff reads.
    'listed-word': 'bg-wash text-inherit font-600 [box-shadow:inset_0_-2px_0_var(--vermilion)]',
    /** A small button next to its subject, large enough for a thumb. */
    'action-base':
      'inline-flex items-center justify-center min-w-11 min-h-11 px-2 border-0 rounded bg-transparent text-soft no-underline cursor-pointer transition-colors duration-150',
    action: 'action-base hover:text-indigo',
    'action-danger': 'action-base hover:text-vermilion',
    tab: 'inline-flex items-center min-h-11 min-w-6 -mb-px border-0 border-b-2 border-solid border-transparent text-soft no-underline cursor-pointer hover:text-indigo transition-colors duration-150 aria-selected:(border-ink text-ink font-600) aria-[current=page]:(border-ink text-ink font-600)',
    'list-status': 'meta block min-h-7 mt-2 mb-2 outline-none',
    write:
      'inline-flex flex-none items-center justify-center min-w-11 min-h-11 rounded text-ink no-underline hover:text-indigo transition-colors duration-150 lg:(min-h-10 px-3 border border-solid border-line hover:border-indigo)',
    'sign-in':
      'inline-flex flex-none items-center min-h-11 px-2 text-sm text-ink no-underline whitespace-nowrap hover:text-indigo transition-colors duration-150',
    suggestions:
      'absolute left-0 right-0 top-full z-20 mt-1 py-1 max-h-[min(60vh,26rem)] overflow-y-auto border border-solid border-line rounded bg-raised shadow-float text-sm',
    suggestion:
      'block px-3.5 py-2.5 text-ink no-underline truncate hover:bg-sunk aria-selected:(bg-sunk text-indigo)',
    'account-item':
      'flex items-center w-full min-h-11 px-4 border-0 bg-transparent text-ink text-sm no-underline cursor-pointer hover:(bg-sunk text-indigo) disabled:(text-soft cursor-default)',
    field:
      'w-full min-h-11 px-3.5 py-2 text-ellipsis rounded border border-solid border-edge bg-raised text-base transition-colors duration-150 focus:(border-indigo outline-none) aria-[invalid=true]:border-vermilion',
    'field-error': 'mt-1 text-sm text-vermilion',
    // Comments, rendered by the server and by the island.
    comment:
      'grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 mx--3 px-3 pt-4 rounded focus:outline-none focus-visible:(outline-2 outline-solid outline-indigo)',
    // The comment that the URL's fragment points at.
    'comment-marked': 'bg-sunk [--ground:var(--sunk)] [box-shadow:inset_2px_0_0_var(--indigo)]',
    'comment-quote': 'm-0 mt-1 pl-3 border-0 border-l-2 border-solid border-line text-sm text-soft',
    'comment-foot': 'flex flex-wrap items-center gap-x-4 min-h-11 text-sm text-soft',
    // As high as the field with its button, so nothing shifts when one replaces the other.
    'comment-box': 'mt-5 min-h-[8.75rem]',
    'comment-wall':
      'min-h-[8.75rem] flex items-center justify-center px-5 rounded border border-dashed border-line text-soft',
    'comment-field': 'block !min-h-22 max-h-[60vh] resize-none leading-relaxed [field-sizing:content]',
    'enlarged-action':
      'inline-flex items-center justify-center min-w-11 min-h-11 px-4 border-0 rounded bg-black/60 text-white no-underline cursor-pointer hover:bg-black focus-visible:outline-white',
    hairline: 'border-0 border-t border-solid border-line',
    badge:
      'inline-block px-1.5 rounded border border-solid border-line text-xs leading-5 text-soft whitespace-nowrap',
  },
});
