import bell from '../icons/bell.svg?raw';
import squarePen from '../icons/square-pen.svg?raw';

/**
 * The icons of the site, from the Lucide set, as markup for `set:html`: constants, drawn once when the module loads. As components
 * they cost more time than the header they stand in.
 */
export const icons = {
  bell: draw(bell, 20),
  write: draw(squarePen, 19),
};

/** The drawing at `size` CSS pixels, in the colour of the text, hidden from screen readers. */
export function draw(svg: string, size: number): string {
  const shapes = /<svg[^>]*>(.*)<\/svg>/s.exec(svg)?.[1]?.replaceAll(/\s*\n\s*/g, '') ?? '';
  const stroke =
    'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
  return `<svg width="${size}" height="${size}" viewBox="0 0 24 24" ${stroke} aria-hidden="true">${shapes}</svg>`;
}
