import { refuse } from '../../contract/errors.ts';
import { isStaff, type Role } from '../../contract/permissions.ts';
import { textsJudged, type PublicEntity } from '../../contract/public-texts.ts';
import type { WordService } from './word-service.ts';

/** The author of a text, as far as its judgement depends on it. */
interface Writer {
  role?: Role | undefined;
  isUnlimited?: boolean | undefined;
}

/** Judges the public texts that belong to no article or comment (contract/public-texts.ts). */
export function createTextJudge({ words }: { words: Pick<WordService, 'filter'> }) {
  return {
    /**
     * Judges those of `fields` that are an entity's texts. There is no queue for them and a masked name names
     * nothing, so any listed word refuses, whatever its action. Staff is not judged. Refuses with
     * WORD_REFUSED, naming the field.
     */
    async requireClean(
      entity: PublicEntity,
      fields: Readonly<Record<string, unknown>>,
      writer: Writer | null,
    ): Promise<void> {
      if (writer && (writer.isUnlimited || isStaff(writer.role))) return;
      for (const field of textsJudged(entity, 'alone')) {
        const text = fields[field];
        if (typeof text !== 'string' || text === '') continue;
        const [found] = await (await words.filter()).find(text);
        if (!found) continue;
        const shown = text.slice(found.start, found.end);
        refuse('WORD_REFUSED', { text: `「${shown}」不能出现在这里，请修改后再发`, field });
      }
    },
  };
}
