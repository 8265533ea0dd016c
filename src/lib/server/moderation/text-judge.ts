import { refuse } from '../../contract/rules/errors.ts';
import { isStaff, type Role } from '../../contract/rules/permissions.ts';
import { textsJudged, type PublicEntity } from '../../contract/public-texts.ts';
import type { WordService } from './word-service.ts';

interface Writer {
  role?: Role | undefined;
  isUnlimited?: boolean | undefined;
}

export function createTextJudge({ words }: { words: Pick<WordService, 'filter'> }) {
  return {
    /**
     * Judges the public texts of an entity among `fields`. They have no approval queue, and a masked name
     * identifies nothing, so any listed word is refused, whatever its action. Staff is not judged. Refuses
     * with WORD_REFUSED and the name of the field.
     */
    async requireClean(
      entity: PublicEntity,
      fields: Readonly<Record<string, unknown>>,
      writer: Writer | null,
    ): Promise<void> {
      if (writer && (writer.isUnlimited || isStaff(writer.role))) return;
      for (const field of textsJudged(entity, 'alone')) {
        const value = fields[field];
        const written: unknown = Array.isArray(value) ? value.join('\n') : value;
        if (typeof written !== 'string' || written === '') continue;
        const text = decoded(written);
        const [found] = (await words.filter()).find(text);
        if (!found) continue;
        const shown = text.slice(found.start, found.end);
        refuse('WORD_REFUSED', { text: `「${shown}」不能出现在这里，请修改后再发`, field });
      }
    },
  };
}

/** Decodes percent-encoded characters, in which addresses could hide a word. */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
