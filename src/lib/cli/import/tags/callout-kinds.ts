/** What generators and their themes call the kinds of their boxes, by ours. */
const KINDS: Readonly<Record<string, string>> = {
  ...named('note', 'note default primary quote abstract summary example question tldr'),
  ...named('info', 'info information blue purple todo help faq cyan grey gray simple light secondary'),
  ...named('tip', 'tip tips hint success check done green idea'),
  ...named('important', 'important pink key'),
  ...named('warning', 'warning warn attention orange yellow'),
  ...named('caution', 'caution'),
  ...named('danger', 'danger error failure fail missing bug red fire critical'),
};

function named(kind: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** Our kind of a box that a theme calls `name`; `otherwise` where it is called something else. */
export const kindOf = (name = '', otherwise = 'note'): string => KINDS[name.toLowerCase()] ?? otherwise;

/** The names that themes have tags of. */
export const KIND_NAMES =
  'note info tip hint success important warning caution danger error question example'.split(' ');
