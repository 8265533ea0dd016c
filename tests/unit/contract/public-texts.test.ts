import { expect, expectTypeOf, test } from 'vitest';
import { PUBLIC_TEXTS, textsJudged, type JudgementsOf } from '../../../src/lib/contract/public-texts.ts';
import type { User } from '../../../src/lib/contract/entities.ts';

test('a new public text field that names no judgement is a type error', () => {
  type Wider = User & { motto: string; nicknames?: string[] };
  // @ts-expect-error `motto` and `nicknames` have no judgement.
  const forgotten: JudgementsOf<Wider> = PUBLIC_TEXTS.user;
  const declared: JudgementsOf<Wider> = { ...PUBLIC_TEXTS.user, motto: 'alone', nicknames: 'alone' };
  expect([Object.keys(forgotten), Object.keys(declared)].map((names) => names.length)).toEqual([7, 9]);
});

test('ids, instants, numbers and choices are not texts', () => {
  expectTypeOf<keyof JudgementsOf<User>>().toEqualTypeOf<
    'username' | 'display_name' | 'bio' | 'website' | 'profile_links' | 'avatar' | 'thanks'
  >();
});

test('texts judged by themselves are listed by entity', () => {
  expect(textsJudged('user', 'alone')).toEqual([
    'username',
    'display_name',
    'bio',
    'website',
    'profile_links',
  ]);
  expect(textsJudged('tag', 'alone')).toEqual(['name', 'description']);
  expect(textsJudged('series', 'alone')).toEqual(['title', 'description']);
  expect(textsJudged('article', 'alone')).toEqual([]);
});
