import { expect, test } from 'vitest';
import { $inflight, countRequest } from '../../../src/lib/stores/inflight.ts';

test('requests are counted while they are under way, in whichever order they end, and never below none', () => {
  const [first, second] = [countRequest(), countRequest()];
  expect($inflight.get()).toBe(2);
  first();
  first();
  expect($inflight.get()).toBe(1);
  second();
  second();
  expect($inflight.get()).toBe(0);
});
