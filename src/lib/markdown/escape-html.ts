const SPECIAL = /[&<>"']/g;
const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** `text` as HTML that says the same, in an element or in an attribute in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(SPECIAL, (character) => ENTITIES[character] ?? '');
