import tokens from '../../../lib/markdown/code/code-tokens.css?raw';

const CODE_FONT = 'font-family:Menlo,Consolas,monospace';

/**
 * Styles of each element in a 公众号 article, whose editor keeps only style attributes. Colours derive from
 * the surrounding text, to suit any theme chosen there.
 */
export const STYLES: Readonly<Record<string, string>> = {
  h1: 'font-size:1.4em;font-weight:700;line-height:1.5;margin:2em 0 0.8em',
  h2: 'font-size:1.3em;font-weight:700;line-height:1.5;margin:2em 0 0.8em',
  h3: 'font-size:1.15em;font-weight:700;line-height:1.5;margin:1.8em 0 0.8em',
  h4: 'font-weight:700;margin:1.6em 0 0.8em',
  h5: 'font-weight:700;margin:1.6em 0 0.8em',
  h6: 'font-weight:700;margin:1.6em 0 0.8em',
  p: 'line-height:1.8;margin:0 0 1.1em',
  ul: 'line-height:1.8;margin:0 0 1.1em;padding-left:1.6em;list-style:disc',
  ol: 'line-height:1.8;margin:0 0 1.1em;padding-left:1.6em;list-style:decimal',
  blockquote: 'margin:0 0 1.1em;padding-left:1em;border-left:3px solid;opacity:0.8',
  hr: 'width:5em;margin:2em auto;border:0;border-top:1px solid;opacity:0.4',
  pre: `margin:0 0 1.1em;padding:1em;overflow-x:auto;border-radius:4px;${CODE_FONT};font-size:0.85em;line-height:1.7;${rootColours()}`,
  code: `${CODE_FONT};font-size:0.9em`,
  table: 'width:100%;margin:0 0 1.1em;border-collapse:collapse;font-size:0.92em;line-height:1.6',
  th: 'padding:0.5em 0.8em;border:1px solid;font-weight:600',
  td: 'padding:0.5em 0.8em;border:1px solid',
  img: 'display:block;max-width:100%;height:auto;margin:0 auto',
  svg: 'display:block;max-width:100%;height:auto;margin:0 auto',
  dt: 'font-weight:600',
  dd: 'margin:0 0 0.8em;padding-left:1.6em',
  figcaption: 'font-size:0.875em;text-align:center;opacity:0.7',
  sup: 'font-size:0.75em;line-height:0;vertical-align:super',
  sub: 'font-size:0.75em;line-height:0;vertical-align:sub',
};

export const CALLOUT_TITLE = 'font-weight:600;margin:0 0 0.3em';

export const CLASS_STYLES: Readonly<Record<string, string>> = {
  callout: 'margin:0 0 1.1em;padding:0.9em 1.2em;border-left:3px solid',
  'callout-title': CALLOUT_TITLE,
  formula: 'margin:0 0 1.1em;text-align:center;overflow-x:auto',
  'code-label': 'margin:0 0 0.3em;font-size:0.8em;opacity:0.7',
  'line-marked': 'background:rgba(127,127,127,0.18)',
  'line-added': `background:rgba(127,127,127,0.12);border-left:3px solid ${valueOf('--tk-inserted')}`,
  'line-removed': `background:rgba(127,127,127,0.12);border-left:3px solid ${valueOf('--tk-deleted')}`,
};

/**
 * Returns the style of a class of highlighted code (code-tokens.css) with the colours of the light theme, or
 * ''.
 */
export function tokenStyle(name: string): string {
  const rule = new RegExp(`\\.${name} \\{([^}]*)\\}`).exec(tokens)?.[1] ?? '';
  return rule
    .replace(/var\((--[\w-]+)\)/g, (_all, colour: string) => valueOf(colour))
    .replace(/\s*\n\s*/g, '');
}

function rootColours(): string {
  return `background:${valueOf('--tk-bg')};color:${valueOf('--tk-ink')}`;
}

/** Returns the first value of a custom property, which the light theme uses. */
function valueOf(property: string): string {
  return new RegExp(`${property}: ([^;]+);`).exec(tokens)?.[1] ?? 'inherit';
}
