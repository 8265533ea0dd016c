import type { LanguageInput } from 'shiki/core';
import { bundledLanguagesInfo } from 'shiki/langs';

// Names authors use beside those Shiki knows.
const ALIASES = Object.entries({
  golang: 'go',
  node: 'javascript',
  nodejs: 'javascript',
  mysql: 'sql',
  pgsql: 'sql',
  postgres: 'sql',
  postgresql: 'sql',
  sqlite: 'sql',
  conf: 'ini',
  cfg: 'ini',
  gradle: 'groovy',
  maven: 'xml',
  svg: 'xml',
  delphi: 'pascal',
  terminal: 'shellsession',
  cmd: 'bat',
  py3: 'python',
  python3: 'python',
  patch: 'diff',
});

interface Language {
  /** The grammar's one name, whatever the author called it. */
  id: string;
  load: LanguageInput;
}

const LANGUAGES = new Map<string, Language>();
for (const { id, aliases = [], import: load } of bundledLanguagesInfo) {
  for (const name of [id, ...aliases]) LANGUAGES.set(name, { id, load });
}
for (const [alias, name] of ALIASES) {
  const language = LANGUAGES.get(name);
  if (language && !LANGUAGES.has(alias)) LANGUAGES.set(alias, language);
}

/** Grammar for a code block's lower-cased name (`c++`, `golang`); undefined for plain or unknown names. */
export function findLanguage(name: string): Language | undefined {
  return LANGUAGES.get(name);
}
