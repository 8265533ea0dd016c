import type { ReadableAtom } from 'nanostores';
import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { ID_PREFIX } from '../lib/shared/ids.ts';
import { $question } from '../lib/stores/ask.ts';
import { $session } from '../lib/stores/account/session.ts';
import { $toasts } from '../lib/stores/toasts.ts';
import { showCalls } from './loading.ts';

let isStarted = false;

/**
 * Starts toasts, questions, the loading indicator and `html[data-user]` once, when the first island hydrates.
 */
export function startPageParts(): void {
  if (isStarted) return;
  isStarted = true;
  showCalls();
  // Same as the theme script before first paint.
  $session.subscribe((session) => {
    document.documentElement.toggleAttribute('data-user', session !== null);
  });
  drawOnce(
    $toasts,
    (toasts) => toasts.length > 0,
    () => import('./toasts/Toasts.tsx'),
  );
  // A question that cannot be shown is answered with no.
  drawOnce(
    $question,
    (question) => question !== null,
    () => import('./toasts/Questions.tsx'),
    () => $question.get()?.answer(false),
  );
}

/**
 * Renders a component at the end of the page once `store` needs it. A failed load is retried on the next
 * change.
 */
function drawOnce<T>(
  store: ReadableAtom<T>,
  isNeeded: (value: T) => boolean,
  load: () => Promise<{ default: ComponentType }>,
  failed?: () => void,
): void {
  let isLoading = false;
  const stop = store.listen(draw);
  draw(store.get());

  function draw(value: T): void {
    if (isLoading || !isNeeded(value)) return;
    isLoading = true;
    load().then(
      ({ default: Part }) => {
        stop();
        const place = document.body.appendChild(document.createElement('div'));
        createRoot(place, { identifierPrefix: ID_PREFIX }).render(<Part />);
      },
      (error: unknown) => {
        isLoading = false;
        console.error(error);
        failed?.();
      },
    );
  }
}
