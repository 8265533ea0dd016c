import type { ThemeRegistration } from 'shiki/core';

/**
 * Classes of highlighted code and their TextMate scopes; a later or longer scope wins. See code-tokens.css.
 */
const TOKEN_SCOPES = {
  'tk-c': ['comment', 'punctuation.definition.comment', 'string.quoted.docstring'],
  'tk-k': ['keyword', 'storage', 'variable.language', 'keyword.operator.new', 'keyword.operator.expression'],
  'tk-s': ['string', 'punctuation.definition.string', 'constant.character', 'markup.inline.raw'],
  'tk-n': ['constant', 'constant.numeric', 'support.constant', 'constant.language'],
  'tk-f': ['entity.name.function', 'support.function', 'meta.function-call.generic'],
  'tk-t': [
    'entity.name.type',
    'entity.name.class',
    'entity.name.namespace',
    'entity.other.inherited-class',
    'support.type',
    'support.class',
    'storage.type.java',
    'storage.type.generic.java',
    'storage.type.object.array.java',
    'storage.type.cs',
  ],
  'tk-a': [
    'entity.other.attribute-name',
    'support.type.property-name',
    'support.type.property-name.json punctuation',
    'entity.name.tag.yaml',
    'storage.type.annotation',
    'punctuation.definition.annotation',
    'meta.decorator',
    'keyword.other.definition.ini',
  ],
  'tk-g': ['entity.name.tag', 'support.class.component'],
  'tk-h': ['markup.heading', 'entity.name.section', 'meta.diff.header', 'meta.diff.range'],
  'tk-i': ['markup.inserted'],
  'tk-d': ['markup.deleted'],
  'tk-l': ['markup.underline.link'],
  // Punctuation keeps the colour of plain text.
  '': ['keyword.operator', 'storage.type.function.arrow', 'punctuation.definition.tag'],
} as const;

const NAMES = Object.keys(TOKEN_SCOPES) as (keyof typeof TOKEN_SCOPES)[];

/**
 * Returns a colour that encodes a class, because Shiki themes only know colours. `#000001` is the first
 * class.
 */
const colourOf = (index: number): string => `#${(index + 1).toString(16).padStart(6, '0')}`;

const CLASS_OF_COLOUR = new Map(NAMES.map((name, index) => [colourOf(index), name]));

export const TOKEN_CLASSES: string[] = NAMES.filter((name) => name !== '');

export const TOKEN_THEME_NAME = 'moye';

export const TOKEN_THEME: ThemeRegistration = {
  name: TOKEN_THEME_NAME,
  type: 'light',
  fg: '#ffffff',
  bg: '#ffffff',
  settings: NAMES.map((name, index) => ({
    scope: [...TOKEN_SCOPES[name]],
    settings: { foreground: colourOf(index) },
  })),
};

export function tokenClass(colour: string | undefined): string {
  return CLASS_OF_COLOUR.get(colour?.toLowerCase() ?? '') ?? '';
}
