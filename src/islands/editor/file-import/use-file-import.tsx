import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { isOffered } from '../../../lib/client/offered.ts';
import { isUntouched, specOf, type FieldName } from '../../../lib/contract/rules/authored-fields.ts';
import type { ReadFile } from '../../../lib/markdown-file/read-file.ts';
import type { DraftFields } from '../../../lib/stores/draft/draft-types.ts';
import { showError } from '../../../lib/stores/toasts.ts';
import { FileInput } from '../../ui/form/FileInput.tsx';
import { lazyPart, loadInTime } from '../../ui/lazy.tsx';
import { isMarkdownFile } from '../markdown-file.ts';
import type { Writer } from '../writing/use-writer.ts';
import type { Writing } from '../writing/writing.ts';

const ImportDialog = lazyPart(() => import('./ImportDialog.tsx'));

export interface TextTarget {
  writer: Pick<Writer, 'now' | 'put'>;
  writing: Writing | null;
}

interface Waiting {
  name: string;
  read: ReadFile;
}

/**
 * Imports a markdown file that was dropped on the editor or chosen. If the editor is not empty, asks the
 * author first.
 * @returns attributes of the editor's element, a function that opens the file dialog, and nodes to render in
 *   it
 */
export function useFileImport({ writer, writing }: TextTarget) {
  const input = useRef<HTMLInputElement>(null);
  const [waiting, setWaiting] = useState<Waiting | null>(null);

  const replace = ({ name, read }: Waiting) => writer.put(offered(read.fields), sentenceOf(name, read));
  const take = async (files: readonly File[]) => {
    const [file] = files;
    if (!file) return;
    if (files.length > 1) return showError('一次只能导入一个 Markdown 文件');
    const read = await readFile(file);
    if (read === null) return;
    const next = { name: file.name, read };
    if (isUntouched(writer.now())) replace(next);
    else setWaiting(next);
  };
  const drop = (event: DragEvent) => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    // The text editor has already handled its pictures (pictures.ts).
    const isTaken = event.nativeEvent.defaultPrevented;
    event.preventDefault();
    const pictures = files.filter((file) => !isMarkdownFile(file));
    if (!isTaken && pictures.length > 0) writing?.addPictures(pictures);
    void take(files.filter(isMarkdownFile));
  };

  const parts: ReactNode = (
    <>
      <FileInput
        ref={input}
        accept=".md,.markdown,.mdown,.mkd,.txt,text/markdown"
        onFile={(file) => void take([file])}
      />
      {waiting && (
        <ImportDialog
          name={waiting.name}
          onClose={() => setWaiting(null)}
          onReplace={() => replace(waiting)}
          onInsert={() => writing?.insert(waiting.read.fields.content)}
        />
      )}
    </>
  );
  return {
    choose: () => input.current?.click(),
    dropping: {
      onDrop: drop,
      onDragOver: (event: DragEvent) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      },
    },
    parts,
  };
}

/** Omits fields that other servers do not know. */
const offered = (fields: ReadFile['fields']): Partial<DraftFields> =>
  isOffered('articleDelete')
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([name]) => !specOf(name as FieldName).isExtra));

function sentenceOf(name: string, { lostPictures, notes }: ReadFile): string {
  const lost =
    lostPictures > 0 ? [`有 ${lostPictures} 张图片在你的电脑上，没有一起来，需要重新放进正文`] : [];
  return [`已导入「${name}」`, ...notes, ...lost].join('；');
}

/** Reads a file. Returns null after showing why it cannot be read. */
async function readFile(file: File): Promise<ReadFile | null> {
  const cannot = (reason: string) => {
    showError(`「${file.name}」没有导入：${reason}`);
    return null;
  };
  if (!isMarkdownFile(file)) return cannot('只能导入 .md 文件');
  const part = loadInTime(() => import('../../../lib/markdown-file/read-file.ts'));
  const { readMarkdownFile, MAX_FILE_BYTES, Problem } = await part.catch(() => ({
    readMarkdownFile: null,
    MAX_FILE_BYTES: Infinity,
    Problem: null,
  }));
  if (readMarkdownFile === null) return cannot('这部分没有加载出来，可能是网络不稳，请再试一次');
  if (file.size > MAX_FILE_BYTES) return cannot(`文件超过 ${MAX_FILE_BYTES / 1024 / 1024} MB`);
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes === null) return cannot('浏览器读不到这个文件，可能它被移动或删除了');
  try {
    return readMarkdownFile(new Uint8Array(bytes), file.name);
  } catch (error) {
    if (Problem !== null && error instanceof Problem) return cannot(error.message);
    console.error(error);
    return cannot('文件读不懂');
  }
}
