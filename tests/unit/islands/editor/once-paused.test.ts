import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { oncePaused } from '../../../../src/islands/editor/desk/use-desk.ts';

const LONG_MS = 10_000;
const SHORT_MS = 900;
const run = vi.fn<() => void>();
const page = new EventTarget();
const type = (event: string) => page.dispatchEvent(new Event(event));

beforeEach(() => {
  vi.useFakeTimers();
  run.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first pause of typing counts, and no later one', () => {
  oncePaused(page, run);
  for (let key = 0; key < 20; key++) {
    vi.advanceTimersByTime(SHORT_MS);
    type('input');
  }
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(LONG_MS);
  for (const event of ['keydown', 'input', 'compositionstart', 'compositionend']) {
    type(event);
    vi.advanceTimersByTime(LONG_MS);
  }
  expect(run).toHaveBeenCalledOnce();
});

test('a composition is no pause, however long it takes', () => {
  oncePaused(page, run);
  type('compositionstart');
  vi.advanceTimersByTime(LONG_MS);
  expect(run).not.toHaveBeenCalled();
  type('compositionend');
  vi.advanceTimersByTime(LONG_MS);
  expect(run).toHaveBeenCalledOnce();
});

test('what was opened or closed by hand before the pause is not opened', () => {
  const stop = oncePaused(page, run);
  type('input');
  stop();
  type('input');
  vi.advanceTimersByTime(LONG_MS);
  expect(run).not.toHaveBeenCalled();
});
