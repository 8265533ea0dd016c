import type { NamedSSRLoadedRendererValue } from 'astro';

/**
 * What the server prints for an island: its slot, which stands there until the island wakes. React does not run on the server
 * (docs/decisions/0006-islands.md).
 */
const renderer: NamedSSRLoadedRendererValue = {
  name: 'moye-islands',
  check: (component: unknown) => Promise.resolve(typeof component === 'function'),
  renderToStaticMarkup: (
    _component: unknown,
    _props: unknown,
    { default: slot = '' }: Record<string, string>,
  ) => Promise.resolve({ html: slot === '' ? '' : `<astro-slot>${slot}</astro-slot>` }),
  supportsAstroStaticSlot: false,
};

export default renderer;
