import { LOADING_ID } from '../lib/shared/ids.ts';
import { $inflight } from '../lib/stores/inflight.ts';

/** Loading indicator delay (docs/pages.md). */
const INDICATOR_DELAY_MS = 300;

/**
 * Shows 数据加载中 in the loading indicator of the page (src/layouts/Shell.astro) while calls take longer
 * than 300 ms.
 */
export function showCalls(): void {
  const sign = document.getElementById(LOADING_ID);
  if (!sign) return;
  let timer = 0;
  let isShown = false;
  $inflight.subscribe((count) => {
    if (count > 0) {
      timer ||= window.setTimeout(() => {
        isShown = true;
        sign.textContent = '数据加载中';
      }, INDICATOR_DELAY_MS);
      return;
    }
    clearTimeout(timer);
    timer = 0;
    // While the page is being left, the page script owns the indicator.
    if (isShown && sign.dataset['leaving'] === undefined) sign.textContent = '';
    isShown = false;
  });
}
