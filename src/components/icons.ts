import bell from '../icons/bell.svg?raw';
import camera from '../icons/camera.svg?raw';
import chevronLeft from '../icons/chevron-left.svg?raw';
import chevronRight from '../icons/chevron-right.svg?raw';
import menu from '../icons/menu.svg?raw';
import moon from '../icons/moon.svg?raw';
import search from '../icons/search.svg?raw';
import squarePen from '../icons/square-pen.svg?raw';
import sun from '../icons/sun.svg?raw';
import x from '../icons/x.svg?raw';

/**
 * The icons of the site, from the Lucide set, as markup for `set:html`: constants, drawn once when the module loads. As components
 * they cost more time than the header they stand in.
 */
export const icons = {
  bell: draw(bell, 20),
  camera: draw(camera, 15),
  chevronLeft: draw(chevronLeft, 16),
  chevronRight: draw(chevronRight, 16),
  close: draw(x, 17),
  find: draw(search, 20),
  menu: draw(menu, 22),
  moon: draw(moon, 19),
  search: draw(search, 17),
  sun: draw(sun, 19),
  write: draw(squarePen, 19),
};

/** The drawing at `size` CSS pixels, in the colour of the text, hidden from screen readers. */
export function draw(svg: string, size: number): string {
  const shapes = /<svg[^>]*>(.*)<\/svg>/s.exec(svg)?.[1]?.replaceAll(/\s*\n\s*/g, '') ?? '';
  const stroke =
    'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
  return `<svg width="${size}" height="${size}" viewBox="0 0 24 24" ${stroke} aria-hidden="true">${shapes}</svg>`;
}
