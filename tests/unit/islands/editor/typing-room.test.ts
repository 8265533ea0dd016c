import { describe, expect, test } from 'vitest';
import { coverWhileTyping, isLow } from '../../../../src/islands/editor/desk/use-typing-room.ts';

const seen = (height: number, offsetTop = 0, scale = 1) => ({ height, offsetTop, scale });

describe('whether a window is low', () => {
  test.for([
    ['a phone', seen(844), false],
    ['a phone with its keyboard open', seen(508), true],
    ['a phone that is turned', seen(390), true],
    ['a tablet with its keyboard open', seen(700), false],
    ['a phone whose page is enlarged: no keyboard', seen(422, 100, 2), false],
    ['an enlarged page and a keyboard', seen(254, 100, 2), true],
  ] as const)('%s', ([, window, expected]) => expect(isLow(window)).toBe(expected));
});

describe('the height covering the text', () => {
  test('is the toolbar only when the keyboard shrinks the window', () => {
    expect(coverWhileTyping(seen(508), 508, 46)).toEqual({ top: 0, bottom: 46 });
  });

  test('includes the keyboard when the window extends behind it', () => {
    expect(coverWhileTyping(seen(508), 844, 46)).toEqual({ top: 0, bottom: 382 });
  });

  test('includes what iOS scrolled out at the top', () => {
    expect(coverWhileTyping(seen(508, 120), 844, 46)).toEqual({ top: 120, bottom: 262 });
  });

  test('is at least the toolbar when the window grew by a hidden bar', () => {
    expect(coverWhileTyping(seen(560), 508, 46)).toEqual({ top: 0, bottom: 46 });
  });
});
