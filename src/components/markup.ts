const SPECIAL = /[&<>"']/;
const ALL_SPECIAL = /[&<>"']/g;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string =>
  SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (character) => ENTITIES[character] ?? '') : text;

/**
 * A template of markup whose values are text: `` markup`<a href="${url}">${name}</a>` ``, for elements' content and attributes in
 * quotes. For the small parts that every page prints many of: as components they take several times as long.
 */
export function markup(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  let text = parts[0] ?? '';
  for (let at = 0; at < values.length; at++) text += escape(String(values[at])) + (parts[at + 1] ?? '');
  return text;
}
