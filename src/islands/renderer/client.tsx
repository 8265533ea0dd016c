import { createElement, type ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { attend } from '../attendants.tsx';
import type { Sleeping } from '../wake.ts';
import { IslandBoundary } from './IslandBoundary.tsx';
import { noteInteraction, pressOver } from './interaction.ts';

/** What every island is given besides its own props: the markup the server printed in its place. */
export interface IslandProps {
  fallback?: string;
}

/**
 * Puts a component in the place of an island's server markup, in one step: when the promise resolves, the component is there, and
 * what the reader had begun on the markup (a click, a focus, a typed text) is done again on the component.
 */
export default (element: Sleeping) =>
  async (
    Component: ComponentType<IslandProps>,
    props: object,
    { default: fallback = '' }: Record<string, string>,
  ): Promise<void> => {
    await pressOver(element);
    // A second copy of the code arrived, after the first was thought lost.
    if (element.dataset['awake'] !== undefined) return;
    element.dataset['awake'] = '';
    const note = element.nextElementSibling;
    if (note?.classList.contains('not-loaded')) note.remove();
    attend();
    const repeat = noteInteraction(element);
    const root = createRoot(element);
    element.addEventListener('astro:unmount', () => root.unmount(), { once: true });
    flushSync(() =>
      root.render(<IslandBoundary>{createElement(Component, { ...props, fallback })}</IslandBoundary>),
    );
    repeat();
  };
