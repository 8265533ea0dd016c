import { isEmpty, type Authored } from '../contract/rules/authored-fields.ts';
import { BOUNDS, countCharacters } from '../contract/rules/bounds.ts';
import { pictureRule } from '../contract/rules/names.ts';
import { droppedTags } from './dropped-tags.ts';
import { isJekyllName } from './dates.ts';
import { decode, describeDecoding } from './decode.ts';
import { titleIn } from './file-name.ts';
import { fitFields } from './fit-fields.ts';
import { asText, pick, splitFrontMatter } from './front-matter.ts';
import { hideParts } from './hidden-parts.ts';
import { inspect } from './inspect.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { Problem } from './problem.ts';
import { readFields } from './read-fields.ts';
import { readVisibility } from './read-visibility.ts';

export { MAX_FILE_BYTES, Problem };

export interface ReadFile {
  /** Fields that the file gives; empty ones are left out. */
  fields: Partial<Authored> & Pick<Authored, 'title' | 'content'>;
  /** Number of pictures with local paths, which do not exist on this site. */
  lostPictures: number;
  /** Chinese sentences: what was cut, and how the file was read. */
  notes: string[];
}

/**
 * Reads a markdown file as the operator's import does.
 * @param name file name: the title if nothing else gives one
 * @throws Problem with a Chinese sentence for a file that cannot become an article
 */
export function readMarkdownFile(bytes: Uint8Array, name: string): ReadFile {
  const decoded = decode(bytes);
  const { text } = decoded;
  const { metadata, body } = splitFrontMatter(text);
  const [, most] = BOUNDS.content;
  const count = countCharacters(body);
  const format = (number: number) => number.toLocaleString('zh-CN');
  if (count > most) throw new Problem(`正文不能超过 ${format(most)} 个字符，文件里有 ${format(count)} 个`);
  if (text.trim() === '') throw new Problem('文件是空的');
  const stem = name.replace(/\.[^.]*$/, '');
  const visibility = readVisibility(metadata, Date.now());
  const hidden = hideParts(body, { omits: false });
  const read = readFields(
    { metadata, body },
    { fallback: titleIn(stem), isJekyll: isJekyllName(stem) },
    { isSecret: visibility.isSecret || hidden.isSecret },
  );
  const said = Object.entries({ ...read, content: read.content.trim() }).filter(
    ([, value]) => !isEmpty(value),
  );
  const fitted = fitFields<ReadFile['fields']>({
    title: read.title,
    content: '',
    ...Object.fromEntries(said),
  });
  const cover = asText(pick(metadata, 'cover'));
  return {
    fields: fitted.fields,
    lostPictures: countLost(read.content) + (cover !== '' && !pictureRule.accepts(cover) ? 1 : 0),
    notes: [
      ...describeDecoding(decoded),
      ...droppedTags(body),
      ...[...visibility.warnings, ...hidden.warnings, ...fitted.warnings].map((warning) =>
        warning.replace('已导入为', '已设为'),
      ),
    ],
  };
}

const isLost = (url: string) => !/^(?:https?:|data:|\/\/|#)/i.test(url) && !pictureRule.accepts(url);

function countLost(content: string): number {
  const pictures = inspect(content).targets.filter(({ isPicture, url }) => isPicture && isLost(url));
  return new Set(pictures.map(({ url }) => url)).size;
}
