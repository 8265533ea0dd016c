import { describe, expect, test } from 'vitest';
import { mentionBefore, offer, peopleOf, putName } from '../../../src/islands/comments/people.ts';

const NAMES = ['王维', 'Wang', 'Swan', 'Wan'];
const PEOPLE = NAMES.map((username) => ({ username, displayName: username === '王维' ? '摩诘居士' : '' }));
const offered = (text: string) => {
  const asked = mentionBefore(text, text.length);
  return asked && offer(PEOPLE, asked).map(({ username }) => username);
};

describe('names offered after an @', () => {
  test.each([
    ['@', NAMES],
    ['谢谢@', NAMES],
    ['好 @wa', ['Wang', 'Wan', 'Swan']],
    ['@王', ['王维']],
    ['@王维', []],
    ['@摩诘', ['王维']],
    ['@摩诘居士', ['王维']],
    ['@居士', ['王维']],
    ['@没有', []],
    ['a@wa', null],
    ['@wan ', null],
    ['没有', null],
  ])('%j', (text, names) => {
    expect(offered(text)).toEqual(names);
  });

  test('the chosen name replaces the typed text, with one space', () => {
    const asked = mentionBefore('好 @wa，行', 5);
    expect(asked && putName('好 @wa，行', 5, asked, 'Wang')).toEqual({ text: '好 @Wang ，行', caret: 8 });
    const again = mentionBefore('@w 行', 2);
    expect(again && putName('@w 行', 2, again, 'Wang').text).toBe('@Wang 行');
  });
});

test('participants are the author and the commenters, each once, without the viewer', () => {
  const comments = ['王维', 'Wan', '王维', 'swan'].map((create_user) => ({
    create_user,
    ...(create_user === '王维' ? { author_name: '摩诘居士' } : {}),
  }));
  expect(peopleOf('Wan', comments, 'SWAN')).toEqual([
    { username: 'Wan', displayName: '' },
    { username: '王维', displayName: '摩诘居士' },
  ]);
});
