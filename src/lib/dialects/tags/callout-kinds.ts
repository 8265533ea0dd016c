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

export const isKindName = (name: string): boolean => Object.hasOwn(KINDS, name.toLowerCase());

export const kindOf = (name = '', otherwise = 'note'): string => KINDS[name.toLowerCase()] ?? otherwise;

/** Kinds that have their own tag in themes. */
export const KIND_NAMES =
  'note info tip hint success important warning caution danger error question example'.split(' ');
