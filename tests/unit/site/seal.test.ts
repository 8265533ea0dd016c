import { describe, expect, test } from 'vitest';
import { SiteIdentity } from '../../../src/lib/contract/calls/site-calls.ts';
import { sealOf } from '../../../src/lib/contract/rules/site-rules.ts';

const logo = { src: '/site-logo.png?v=1', width: 84, height: 28 };

describe('the seal', () => {
  test.each([
    [{ seal: '', logo: null, title: '墨页' }, { text: '墨' }],
    [{ seal: '', logo: null, title: '《山居》笔记' }, { text: '山' }],
    [{ seal: '', logo: null, title: 'Notes' }, { text: 'N' }],
    [{ seal: '', logo: null, title: '★' }, null],
    [{ seal: '', logo, title: '山居' }, { logo }],
    [{ seal: '居', logo, title: '山居' }, { text: '居' }],
    [{ seal: 'none', logo, title: '山居' }, null],
  ])('of %j is %j', (facts, seal) => {
    expect(sealOf(facts)).toEqual(seal);
  });

  test.each(['', 'none', '山', '𠮷', 'é', '7', ' 山 '])('may be %j', (seal) => {
    expect(SiteIdentity.shape.seal.safeParse(seal).success).toBe(true);
  });

  test.each([
    '山居',
    'logo',
    '<',
    '★',
    '<svg onload=alert(1)>',
    '\u202e',
    '山\u0301\u0301\u0301\u0301\u0301',
    7,
  ])('may not be %j', (seal) => {
    expect(SiteIdentity.shape.seal.safeParse(seal).success).toBe(false);
  });
});
