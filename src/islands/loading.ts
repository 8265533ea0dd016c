import { LOADING_ID } from '../components/ids.ts';
import { $inflight } from '../lib/stores/inflight.ts';

/** DESIGN.md §4: what takes longer is announced. */
const PATIENCE_MS = 300;

/** Says 数据加载中 in the page's own sign (src/layouts/Shell.astro) while calls have been under way for 300 ms. */
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
      }, PATIENCE_MS);
      return;
    }
    clearTimeout(timer);
    timer = 0;
    // While the page is being left the sign is the page script's.
    if (isShown && sign.dataset['leaving'] === undefined) sign.textContent = '';
    isShown = false;
  });
}
