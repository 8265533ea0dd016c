import { aliases } from './tag.ts';

const KINDS: Readonly<Record<string, string>> = {
  ...aliases('note default primary quote abstract summary example question tldr', 'note'),
  ...aliases('info information blue purple todo help faq cyan grey gray simple light secondary', 'info'),
  ...aliases('tip tips hint success check done green idea', 'tip'),
  ...aliases('important pink key', 'important'),
  ...aliases('warning warn attention orange yellow', 'warning'),
  ...aliases('caution', 'caution'),
  ...aliases('danger error failure fail missing bug red fire critical', 'danger'),
};

export const isKindName = (name: string): boolean => Object.hasOwn(KINDS, name.toLowerCase());

export const kindOf = (name = '', otherwise = 'note'): string => KINDS[name.toLowerCase()] ?? otherwise;

/** Kinds that have their own tag in themes. */
export const KIND_NAMES =
  'note info tip hint success important warning caution danger error question example'.split(' ');
