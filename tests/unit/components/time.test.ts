import { expect, test } from 'vitest';
import { formatDay, formatMinute } from '../../../src/components/time.ts';

test('days begin at midnight in Shanghai, whatever zone the server runs in', () => {
  expect(formatDay('2025-11-21T15:59:59.000Z', 'Asia/Shanghai')).toBe('2025-11-21');
  expect(formatDay('2025-11-21T16:00:00.000Z', 'Asia/Shanghai')).toBe('2025-11-22');
  expect(formatMinute('2025-12-31T16:05:00.000Z', 'Asia/Shanghai')).toBe('2026-01-01 00:05');
});

test('another zone has other days', () => {
  expect(formatDay('2025-11-21T16:00:00.000Z', 'UTC')).toBe('2025-11-21');
});
