import { createElement, type ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { ID_PREFIX } from '../../components/ids.ts';
import { attend } from '../attendants.tsx';
import type { Sleeping } from '../wake.ts';
import { IslandBoundary } from '../ui/IslandBoundary.tsx';
import { noteInteraction, pressOver } from './interaction.ts';

/** What every island is given besides its own props: the markup the server printed in its place. */
export interface IslandProps {
  fallback?: string;
}

/**
 * Puts a component in the place of an island's server markup, in one step: when the promise resolves, the component is there, and
 * what the reader had begun on the markup (a click, a focus, a typed text) is done again on the component.
 */
export default async function show(island: Sleeping, Component: ComponentType<IslandProps>): Promise<void> {
  await pressOver(island);
  // A second copy of the code arrived, after the first was thought lost.
  if (island.dataset['awake'] !== undefined) return;
  island.dataset['awake'] = '';
  const note = island.nextElementSibling;
  if (note?.classList.contains('not-loaded')) note.remove();
  attend();
  const repeat = noteInteraction(island);
  const props = JSON.parse(island.dataset['props'] ?? '{}') as object;
  const fallback = island.innerHTML;
  flushSync(() =>
    createRoot(island, { identifierPrefix: ID_PREFIX }).render(
      <IslandBoundary>{createElement(Component, { ...props, fallback })}</IslandBoundary>,
    ),
  );
  repeat();
}
