import { useState } from 'react';
import { lazyPart } from '../ui/lazy.tsx';
import type { MoreItem } from './DeskMore.tsx';
import { useFileImport } from './file-import/use-file-import.tsx';
import type { HelpProps } from './help/HelpDialog.tsx';
import { HELP_KEY, useHelpKey } from './help/help-key.ts';
import type { Template } from './templates/built-in.ts';
import type { TemplateProps } from './templates/TemplateDialog.tsx';
import type { Writer } from './use-writer.ts';
import type { Writing } from './writing.ts';

const HelpDialog = lazyPart<HelpProps>(() => import('./help/HelpDialog.tsx'));
const TemplateDialog = lazyPart<TemplateProps>(() => import('./templates/TemplateDialog.tsx'));

interface Options {
  writer: Pick<Writer, 'now' | 'put'>;
  writing: Writing | null;
}

/**
 * What is done with a text now and then, each loaded when it is asked for: files, templates, help.
 * @returns entries of the menu, what is to be drawn in the desk, attributes that let files be dropped on it,
 * and what opens the templates
 */
export function useMore({ writer, writing }: Options) {
  const { choose, dropping, parts } = useFileImport({ writer, writing });
  const [shown, setShown] = useState<'help' | 'templates' | null>(null);
  const close = () => setShown(null);
  useHelpKey(() => setShown('help'));
  const begin = ({ name, content }: Template) => {
    // After the dialog gave the focus back.
    requestAnimationFrame(() => {
      if (writer.now().content.trim() === '') writer.put({ content }, `已放入模板「${name}」`);
      else writing?.insert(content.trimEnd());
      writing?.focus();
    });
  };
  const showTemplates = () => setShown('templates');
  const items: MoreItem[] = [
    { text: '模板', run: showTemplates },
    { text: '表情', movesFocus: true, run: () => writing?.run('emoji') },
    { text: '导入 Markdown', run: choose },
    { text: 'Markdown 写法', keys: HELP_KEY, run: () => setShown('help') },
  ];
  return {
    items,
    dropping,
    showTemplates,
    parts: (
      <>
        {parts}
        {shown === 'help' && <HelpDialog onClose={close} />}
        {shown === 'templates' && (
          <TemplateDialog content={writer.now().content} onPick={begin} onClose={close} />
        )}
      </>
    ),
  };
}
