import { expect, test } from 'vitest';
import { $inflight, countRequest } from '../../../src/lib/stores/inflight.ts';

test('open requests are counted, in whichever order they end, and never below zero', () => {
  const [first, second] = [countRequest(), countRequest()];
  expect($inflight.get()).toBe(2);
  first();
  first();
  expect($inflight.get()).toBe(1);
  second();
  second();
  expect($inflight.get()).toBe(0);
});
