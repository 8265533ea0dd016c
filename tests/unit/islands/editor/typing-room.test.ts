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

describe('what covers the text', () => {
  test('the tools alone, where the keyboard makes the window lower', () => {
    expect(coverWhileTyping(seen(508), 508, 46)).toEqual({ top: 0, bottom: 46 });
  });

  test('the keyboard too, where the window goes on behind it', () => {
    expect(coverWhileTyping(seen(508), 844, 46)).toEqual({ top: 0, bottom: 382 });
  });

  test('also what iOS has moved out at the top', () => {
    expect(coverWhileTyping(seen(508, 120), 844, 46)).toEqual({ top: 120, bottom: 262 });
  });

  test('no less than the tools, where the window grew by a bar that went away', () => {
    expect(coverWhileTyping(seen(560), 508, 46)).toEqual({ top: 0, bottom: 46 });
  });
});
