import { refuse } from '../../contract/rules/errors.ts';
import { isStaff, type Role } from '../../contract/rules/permissions.ts';
import { textsJudged, type PublicEntity, type TextsJudged } from '../../contract/public-texts.ts';
import { decodeAddress } from '../../markdown/decode-address.ts';
import type { CleanText } from '../shared/clean-text.ts';
import { distinctWords } from './word-filter.ts';
import type { AppParts } from '../services.ts';

interface Writer {
  role?: Role | undefined;
  isUnlimited?: boolean | undefined;
}

type CleanValue<V> = V extends string ? CleanText : V extends readonly string[] ? readonly CleanText[] : V;
/** `T` whose public texts of the entity `E` were checked. */
export type Clean<E extends PublicEntity, T> = {
  [K in keyof T]: K extends TextsJudged<E, 'alone'> ? CleanValue<T[K]> : T[K];
};
/** For the services that write such texts. */
export type TextJudge = ReturnType<typeof createTextJudge>;

export function createTextJudge({ words }: Pick<AppParts, 'words'>) {
  return {
    /**
     * Judges the public texts of an entity among `fields`, and returns `fields`. They have no approval queue,
     * and a masked name identifies nothing, so any listed word is refused, whatever its action. Staff is not
     * judged. Refuses with WORD_REFUSED and the name of the field.
     */
    async requireClean<E extends PublicEntity, T extends object>(
      entity: E,
      fields: T,
      writer: Writer | null,
    ): Promise<Clean<E, T>> {
      const checked = fields as Clean<E, T>;
      if (writer && (writer.isUnlimited || isStaff(writer.role))) return checked;
      for (const field of textsJudged(entity, 'alone')) {
        const value = (fields as Partial<Record<string, unknown>>)[field];
        const written: unknown = Array.isArray(value) ? value.join('\n') : value;
        if (typeof written !== 'string' || written === '') continue;
        const text = decoded(written);
        const [found] = (await words.filter()).find(text);
        if (!found) continue;
        const shown = text.slice(found.start, found.end);
        refuse('WORD_REFUSED', { text: `「${shown}」不能出现在这里，请修改后再发`, field });
      }
      return checked;
    },

    /**
     * Listed words in an article that returns to readers as it was, for which it must be pending: the list
     * may have changed since. None for staff.
     */
    async wordsAmong(texts: readonly string[], writer: Writer): Promise<string[]> {
      if (writer.isUnlimited || isStaff(writer.role)) return [];
      const found = (await words.filter()).find(decoded(texts.join('\n\n')));
      return distinctWords(found);
    },
  };
}

/** Decodes percent-encoded characters, in which addresses could hide a word. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => decodeAddress(bytes));
