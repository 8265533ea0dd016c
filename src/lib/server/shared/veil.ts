/** Masks an e-mail address: a reader sees just enough to notice a mistake. '' for other texts. */
export function veil(address: string): string {
  const [name = '', host] = address.split('@');
  return host === undefined ? '' : `${name.slice(0, 2)}…@${host}`;
}
