import { expect, test } from 'vitest';
import { addressKey, networksOf } from '../../../../src/lib/server/http/address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1::192.0.2.1', '1:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test('an IPv6 address is counted in its /56 too, with four times the share', () => {
  expect(networksOf('2001:db8:1:23ff::1')).toEqual([
    { key: '2001:db8:1:23ff::/64', share: 1 },
    { key: '2001:db8:1:2300::/56', share: 4 },
  ]);
  expect(networksOf('::ffff:192.0.2.1')).toEqual([{ key: '192.0.2.1', share: 1 }]);
});
