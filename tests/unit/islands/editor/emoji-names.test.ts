import shortcodes from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import data from 'emojibase-data/zh/compact.json' with { type: 'json' };
import { expect, test } from 'vitest';

/** Entries of emojibase for skin tones and hair, which are parts of other emoji. */
const PARTS = 2;

const codesOf = (hexcode: string): string[] => {
  const codes = (shortcodes as Record<string, string | string[] | undefined>)[hexcode];
  return typeof codes === 'string' ? [codes] : (codes ?? []);
};

/** After an update of emojibase-data, `npm test -- unit emoji-names -u` rewrites the file. */
test('emoji-names.json has the emojibase data: sign, Chinese name, shortcodes and keywords', async () => {
  const lines = data
    .filter(({ group }) => group !== undefined && group !== PARTS)
    .sort((one, other) => (one.order ?? 0) - (other.order ?? 0))
    .map(({ unicode, label, tags = [], hexcode }) =>
      JSON.stringify([unicode, label, ...codesOf(hexcode), ...tags]),
    );
  await expect(`[\n${lines.join(',\n')}\n]\n`).toMatchFileSnapshot(
    '../../../../src/islands/editor/emoji/emoji-names.json',
  );
});
