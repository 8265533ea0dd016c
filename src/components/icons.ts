import chevronLeft from 'lucide-static/icons/chevron-left.svg?raw';
import chevronRight from 'lucide-static/icons/chevron-right.svg?raw';
import menu from 'lucide-static/icons/menu.svg?raw';
import search from 'lucide-static/icons/search.svg?raw';

/**
 * The icons of the site, from the Lucide set, as markup for `set:html`: constants, drawn once when the module loads. As components
 * they cost more time than the header they stand in.
 */
export const icons = {
  chevronLeft: draw(chevronLeft, 16),
  chevronRight: draw(chevronRight, 16),
  menu: draw(menu, 22),
  search: draw(search, 17),
};

/** The drawing at `size` CSS pixels, in the colour of the text, hidden from screen readers. */
function draw(svg: string, size: number): string {
  const shapes = /<svg[^>]*>(.*)<\/svg>/s.exec(svg)?.[1]?.replaceAll(/\s*\n\s*/g, '') ?? '';
  const stroke =
    'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
  return `<svg width="${size}" height="${size}" viewBox="0 0 24 24" ${stroke} aria-hidden="true">${shapes}</svg>`;
}
