import { SCHEMA } from '../schema.ts';

const FORBIDDEN =
  'acronym address applet area article audio base basefont bgsound big blink body button canvas col colgroup command ' +
  'data datalist dialog dir embed fieldset font footer form frame frameset head header hgroup html iframe image keygen ' +
  'label legend link listing main map marquee menu menuitem meta meter nav nobr noembed noframes noscript object optgroup ' +
  'option output param picture plaintext portal progress rbc rtc script search select slot source spacer strike style svg ' +
  'template textarea title track video xmp';

const SVG =
  'animate animatemotion animatetransform circle clippath defs desc ellipse feblend fecolormatrix fecomposite feflood ' +
  'fegaussianblur femerge femergenode feoffset filter foreignobject g line lineargradient marker mask metadata path pattern ' +
  'polygon polyline radialgradient rect set stop switch symbol text textpath tspan use view';

/**
 * Elements that do nothing without attributes, or outside of SVG and MathML. `<source>` alone is a word of
 * the author's, such as `docker tag <source> <target>`.
 */
const WORDS = new Set([
  ...'area base command data embed image link map menuitem meta object output param portal slot source track'.split(
    ' ',
  ),
  ...'annotation none'.split(' '),
  ...SVG.split(' '),
]);

const ALLOWED = new Set(SCHEMA.tagNames);
const DROPPED = new Set(FORBIDDEN.split(' '));
const KNOWN = new Set([...ALLOWED, ...DROPPED, ...SVG.split(' ')]);

export const isKnown = (name: string): boolean => KNOWN.has(name.toLowerCase());

/**
 * Whether a tag is markup; other tags are text that only looks like a tag: `List<String>`, `<package>`.
 * @param name in any case
 * @param isBare whether it is a start tag without attributes
 */
export function isMarkup(name: string, isBare: boolean): boolean {
  const known = name.toLowerCase();
  return KNOWN.has(known) && !(isBare && WORDS.has(known));
}

/** Elements that frames.ts shows as links, or that other elements need. */
const SHOWN = new Set('iframe embed object video audio source picture html body head template'.split(' '));

/** Whether the renderer drops a tag that is markup, and keeps only what is inside. */
export function isDropped(name: string): boolean {
  const known = name.toLowerCase();
  return DROPPED.has(known) && !SHOWN.has(known);
}
