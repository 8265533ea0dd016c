import { expect, test } from 'vitest';
import { clientName } from '../../../src/lib/server/api/client-name.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'Windows 上的 Chrome'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/126.0.0.0`, 'Windows 上的 Edge'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:127.0) Gecko/20100101 Firefox/127.0',
    'macOS 上的 Firefox',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'iPhone 上的 Safari',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; PGT-AN00) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.49`,
    'Android 上的微信',
  ],
  ['curl/8.5.0', ''],
  ['', ''],
  [undefined, ''],
  ['Chrome '.repeat(1_000), ''],
])('a device and its browser have the names that their owner knows: %#', (header, name) =>
  expect(clientName(header)).toBe(name),
);
